import * as z from "zod";
import { type Keyword, SCHEMA_MAP } from "./keyword.ts";
import { APPLICATOR_KEYWORDS, UNEVALUATED_KEYWORDS } from "./keywords/applicators.ts";
import { ARRAY_KEYWORDS, OBJECT_KEYWORDS } from "./keywords/parts.ts";
import { VALUE_KEYWORDS } from "./keywords/values.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Keywords that name schemas, refer to them and keep them. */
const CORE_KEYWORDS: Record<string, Keyword> = {
  $schema: { type: z.enum([DIALECT, `${DIALECT}#`]) },
  $id: { type: z.string().regex(/^[^#]*#?$/, "must be a URI without a fragment") },
  $ref: { type: z.string() },
  $dynamicRef: { type: z.string() },
  $anchor: { type: z.string() },
  $dynamicAnchor: { type: z.string() },
  $defs: { type: SCHEMA_MAP },
  // The name of $defs before 2019-09, still reserved for it.
  definitions: { type: SCHEMA_MAP },
};

/**
 * The keywords of JSON Schema 2020-12 in the order of their rules; unknown ones are annotations.
 * `unevaluated…` comes last: it applies to what no other keyword has evaluated.
 */
export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map(
  Object.entries({
    ...CORE_KEYWORDS,
    ...VALUE_KEYWORDS,
    ...ARRAY_KEYWORDS,
    ...OBJECT_KEYWORDS,
    ...APPLICATOR_KEYWORDS,
    ...UNEVALUATED_KEYWORDS,
  }),
);

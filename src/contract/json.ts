import * as z from "zod";
import type { Json, JsonObject } from "../lib/json-values.ts";

export type { Json, JsonObject };

/**
 * Any JSON value. The schema does not walk it: a JSON parser has produced every value that reaches it,
 * and walking it again took most of the time of a large body.
 */
export const json = z
  .unknown()
  .refine((value) => value !== undefined, "is required") as unknown as z.ZodType<Json>;

/** A JSON object. */
export const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), json);

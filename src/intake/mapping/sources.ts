import type { MappedField } from "../../contract/webhooks/mapping.ts";
import type { Fault, PayloadValue } from "../../contract/webhooks/payload.ts";
import { headerName } from "../../contract/webhooks/signature.ts";
import { isTelltale } from "../../lib/redaction.ts";
import { mediaOf } from "../payload/parse.ts";
import type { Head } from "../signatures/presets/handshake.ts";
import { parsePath, readPath } from "./payload-path.ts";

/** The parts of a request beside its payload that a mapping can read. */
export interface MappingSources {
  headers: Headers;
  query: URLSearchParams;
  /** Whether the payload is a form or a query, which send text alone, and an absent value as an empty one. */
  isForm: boolean;
}

export const NO_SOURCES: MappingSources = {
  headers: new Headers(),
  query: new URLSearchParams(),
  isForm: false,
};

/** Returns the sources of a request. */
export function sourcesOf({ method, url, headers }: Head): MappingSources {
  const media = mediaOf(headers.get("Content-Type"));
  const isForm = method === "GET" || media === "form" || media === "multipart";
  return { headers, query: url.searchParams, isForm };
}

/** Returns what a field reads before its transforms; undefined if its source has no such member. */
export function readSource(
  payload: PayloadValue,
  { in: part = "body", from }: { in?: MappedField["in"]; from: string },
  { headers, query }: MappingSources,
): PayloadValue | undefined {
  switch (part) {
    case "header":
      return headers.get(from) ?? undefined;
    case "query": {
      const values = query.getAll(from);
      return values.length > 1 ? values : values[0];
    }
    case "body":
      return readPath(payload, from);
  }
}

/** Returns what is wrong with the name of a source to be saved, or null. */
export function sourceFault(
  part: MappedField["in"],
  from: string,
): Pick<Fault, "rule" | "message"> | null {
  if (part === "query") return null;
  if (part !== "header") {
    const parsed = parsePath(from);
    return parsed.ok ? null : { rule: "path", message: parsed.message };
  }
  if (!headerName.safeParse(from).success) {
    return { rule: "header", message: "must be a header name" };
  }
  const message = "must not be a header that holds a credential";
  return isTelltale(from) ? { rule: "header", message } : null;
}

import { parsePayload } from "../payload/parse.ts";
import { type Check, NOT_PARSED } from "./check.ts";

/** The body, or a GET's query, is well-formed; what it says is the payload from here on. */
export const parse: Check = {
  stage: "parse",
  async judge({ request: { method, url, headers, body } }) {
    if (body.kind !== "whole") return NOT_PARSED;
    const contentType = headers.get("Content-Type");
    const parsed = await parsePayload({ method, url, contentType, bytes: body.bytes });
    if (!parsed.ok) return { kind: "refused", code: "malformed_json", errors: parsed.faults };
    return { kind: "passed", found: { payload: parsed.payload } };
  },
};

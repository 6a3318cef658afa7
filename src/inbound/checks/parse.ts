import { parsePayload } from "../payload/parse.ts";
import type { InboundRequest } from "../types.ts";
import { type Check, NOT_PARSED, refused, tooLarge, type Verdict } from "./check.ts";

const NO_BYTES = new Uint8Array();

/**
 * The body inflates within the endpoint's limit and it, or a GET's query, is well-formed; what it says is
 * the payload from here on.
 */
export const parse: Check = {
  stage: "parse",
  async judge({ endpoint: { config }, request }) {
    const { method, body } = request;
    if (method === "GET") return await parsed(request, NO_BYTES);
    if (body.kind !== "whole") return NOT_PARSED;
    const content = await body.content();
    if (content.kind === "too_large") return tooLarge(content.limit);
    if (content.kind === "corrupt") {
      return refused("malformed_json", "content_encoding", content.detail);
    }
    const { maxBytes } = config.validation;
    if (content.bytes.length > maxBytes) return tooLarge(maxBytes);
    return await parsed(request, content.bytes);
  },
};

async function parsed(
  { method, url, headers }: InboundRequest,
  bytes: Uint8Array,
): Promise<Verdict> {
  const contentType = headers.get("Content-Type");
  const parsed = await parsePayload({ method, url, contentType, bytes });
  if (!parsed.ok) return { kind: "refused", code: "malformed_json", errors: parsed.faults };
  return { kind: "passed", found: { payload: parsed.payload } };
}

import { type Check, PASSED, refused } from "./check.ts";

/** The body is within the endpoint's limit, on the wire and inflated. */
export const size: Check = {
  stage: "size",
  judge({ endpoint: { config }, request: { body } }) {
    if (body.kind === "too_large") return tooLarge(body.limit);
    const limit = config.validation.maxBytes;
    // The limit may have been lowered between reading the body and this check.
    const length = body.kind === "whole" ? Math.max(body.raw.length, body.bytes.length) : 0;
    return length > limit ? tooLarge(limit) : PASSED;
  },
};

const tooLarge = (limit: number) =>
  refused("payload_too_large", "max_bytes", `The body has more than ${limit} bytes.`);

import { type Check, PASSED, tooLarge } from "./check.ts";

/** The body on the wire is within the endpoint's limit. Its inflated length is known once it is parsed. */
export const size: Check = {
  stage: "size",
  judge({ endpoint: { config }, request: { body } }) {
    if (body.kind === "too_large") return tooLarge(body.limit);
    const limit = config.validation.maxBytes;
    // The limit may have been lowered between reading the body and this check.
    return body.kind === "whole" && body.raw.length > limit ? tooLarge(limit) : PASSED;
  },
};

import { diagnose } from "../signatures/doctor.ts";
import { verifySignature } from "../signatures/verify.ts";
import { type Check, skipped, unauthorized } from "./check.ts";

/** It is signed with the endpoint's secret, over the bytes that came in. */
export const signature: Check = {
  stage: "signature",
  async judge({ endpoint, request, now }) {
    const { hmac } = endpoint.config.auth;
    if (hmac === null) return skipped("The endpoint asks for no signature.");
    if (endpoint.hmac === null) throw new Error("an endpoint was not opened whole");
    const verified = await verifySignature(hmac.scheme, endpoint.hmac, request, now);
    if (!verified.ok) {
      const { rule, message } = verified;
      const diagnosis = await diagnose(hmac.scheme, endpoint.hmac, request, now);
      return unauthorized([{ path: hmac.scheme.header, rule, message }], diagnosis);
    }
    return {
      kind: "passed",
      found: { signedAt: verified.signedAt },
      ...(verified.usedPrevious && { note: "It is signed with the previous secret." }),
    };
  },
};

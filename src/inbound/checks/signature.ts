import { diagnose } from "../signatures/diagnostics/diagnose.ts";
import { verifySignature } from "../signatures/verify.ts";
import { type Check, skipped, tooLarge, unauthorized } from "./check.ts";

/** It is signed with the endpoint's secret, over the bytes that came in. */
export const signature: Check = {
  stage: "signature",
  async judge({ endpoint, request, now }) {
    const { hmac } = endpoint.config.auth;
    if (hmac === null) return skipped("The endpoint asks for no signature.");
    if (endpoint.hmac === null) throw new Error("an endpoint was not opened whole");
    const verified = await verifySignature(hmac.scheme, endpoint.hmac, request, now);
    if (!verified.ok) {
      const content = request.body.kind === "whole" ? request.body.decoded : null;
      if (content?.kind === "too_large") return tooLarge(content.limit);
      const { rule, message } = verified;
      const found = await diagnose(hmac.scheme, endpoint.hmac, request, now);
      const diagnosis = [...found, ...howToSet(hmac.preset, found)];
      return unauthorized([{ path: hmac.scheme.header, rule, message }], diagnosis);
    }
    return {
      kind: "passed",
      found: { signedAt: verified.signedAt },
      ...(verified.usedPrevious && { note: "It is signed with the previous secret." }),
    };
  },
};

const ASKS_FOR_A_SETTING =
  /\bSet (?:algorithm|encoding|header|prefix|secretEncoding|template) to\b/;

/** Says where to change a setting that a preset fixes. */
function howToSet(preset: string | null, diagnosis: readonly string[]): string[] {
  if (preset === null || !diagnosis.some((sentence) => ASKS_FOR_A_SETTING.test(sentence)))
    return [];
  return [
    `The preset ${preset} fixes these settings. To change one, replace the preset in auth.hmac with a whole scheme: header, prefix, encoding, algorithm and template.`,
  ];
}

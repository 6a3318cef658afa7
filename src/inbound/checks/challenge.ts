import { challengeAnswer } from "../challenge.ts";
import type { Check } from "./check.ts";

/** Answers a provider that asks whether the address is its subscriber's, once it is known to be the provider. */
export const challenge: Check = {
  stage: "signature",
  async judge({ endpoint, request, found: { payload } }) {
    const answer = payload === undefined ? null : await challengeAnswer(endpoint, request, payload);
    return answer === null ? { kind: "silent" } : { kind: "answered", answer };
  },
};

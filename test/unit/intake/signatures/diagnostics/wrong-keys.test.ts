import { describe, expect, it } from "vitest";
import { diagnoseKey } from "../../../../../src/intake/signatures/diagnostics/key-signature.ts";
import { verifyKeySignature } from "../../../../../src/intake/signatures/key-signature.ts";
import { inboundRequest, RECEIVED_AT } from "../../../../support/signed-request.ts";
import { WRONG_KEYS } from "../../../../support/wrong-keys.ts";

describe("of a sender with a private key and an endpoint that do not agree, the diagnosis names the cause:", () => {
  it.each(WRONG_KEYS)("$name", async ({ stored, request, cause, fetched }) => {
    const inbound = inboundRequest(request);
    const context = { secret: null, fetchKey: async () => fetched, now: RECEIVED_AT };
    const verdict = await verifyKeySignature(stored, inbound, context);
    if (verdict.ok) throw new Error("the sender and the endpoint agree");
    const { advice, sentences } = await diagnoseKey({
      stored,
      request: inbound,
      context,
      verdict,
      others: async () => [],
    });
    expect(advice?.causes, sentences.join("\n")).toContain(cause);
    expect(sentences.join("\n")).not.toContain(stored.publicKey ?? "-----");
    expect(advice?.change).toBeNull();
  });
});

import { describe, expect, it } from "vitest";
import { applied, diagnose } from "../../../../../src/intake/signatures/diagnostics/hmac.ts";
import { verifySignature } from "../../../../../src/intake/signatures/verify.ts";
import { inboundRequest, RECEIVED_AT } from "../../../../support/signed-request.ts";
import { WRONG_SETUPS } from "../../../../support/wrong-setups.ts";

describe("of a sender and an endpoint that do not agree, the diagnosis names the cause, and advises no change that fails:", () => {
  it.each(WRONG_SETUPS)("$name", async ({ scheme, preset, stored, request, cause, fixable }) => {
    const secret = { current: stored, previous: null };
    const inbound = inboundRequest(request);
    const verified = (by = scheme, using = secret) =>
      verifySignature(by, using, inbound, RECEIVED_AT);
    const verdict = await verified();
    if (verdict.ok) throw new Error("the sender and the endpoint agree");
    const wrong = {
      scheme,
      preset,
      secret,
      request: inbound,
      now: RECEIVED_AT,
      verdict,
      others: async () => [],
    };
    const { advice } = await diagnose(wrong);
    expect(advice?.causes).toContain(cause);
    const after = advice?.change && applied(advice.change, secret);
    expect(after && (await verified(after.scheme, { ...after.secret, previous: null })).ok).toBe(
      fixable ? true : null,
    );
    const isTimed = (template = "") => template.includes("{timestamp}");
    if (isTimed(scheme.template) && after) expect(isTimed(after.scheme.template)).toBe(true);
    // A prefix with a time in it would fit no other request.
    expect(JSON.stringify(advice?.change ?? null)).not.toMatch(/\d{9}/);
  });
});

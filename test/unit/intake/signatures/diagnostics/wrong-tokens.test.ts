import { describe, expect, it } from "vitest";
import { tokensIn } from "../../../../../src/intake/credentials.ts";
import { matchesAny } from "../../../../../src/intake/secrets.ts";
import {
  appliedToToken,
  diagnoseToken,
} from "../../../../../src/intake/signatures/diagnostics/token.ts";
import { inboundRequest, RECEIVED_AT } from "../../../../support/signed-request.ts";
import { WRONG_TOKENS } from "../../../../support/wrong-tokens.ts";

describe("of a sender and an endpoint that do not agree on a token, the diagnosis names the cause, shows no token and advises no change that fails:", () => {
  it.each(WRONG_TOKENS)("$name", async ({ stored, secret, request, cause, text, fixable }) => {
    const inbound = inboundRequest(request);
    const opened = { current: secret, previous: null };
    const accepted = async (by = stored, using = opened) => {
      const { given } = await tokensIn(by, inbound);
      return given.length > 0 && (await matchesAny(given.flat(), [using.current]));
    };
    if (await accepted()) throw new Error("the sender and the endpoint agree");
    const wrong = { stored, secret: opened, request: inbound, now: RECEIVED_AT };
    const { advice, sentences } = await diagnoseToken({ ...wrong, others: async () => [] });
    const said = sentences.join("\n");
    expect(advice?.causes, said).toContain(cause);
    expect(said).toContain(text);
    for (const part of secret.split(":")) if (part.length > 10) expect(said).not.toContain(part);
    const after = advice?.change && appliedToToken(advice.change, stored, opened);
    const isMended = after && (await accepted(after.stored, { ...after.secret, previous: null }));
    expect(isMended).toBe(fixable ? true : null);
  });
});

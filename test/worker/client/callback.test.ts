import { exports } from "cloudflare:workers";
import { expect, it } from "vitest";
import { verifyCallback } from "../../../src/client/callback.ts";
import { Prompthook } from "../../../src/client/prompthook.ts";
import { newAccount, ORIGIN } from "../../support/worker/client.ts";
import { mailbox } from "../../support/worker/objects.ts";

it.each(["correct horse báttery staple", `whsec_${btoa("0123456789abcdef01234567")}`])(
  "what the service calls back with is verified under %s, and under no other secret",
  async (callbackSecret) => {
    const { apiKey } = await newAccount();
    const fetch = (request: Request) => exports.default.fetch(request);
    const client = new Prompthook({ baseUrl: ORIGIN, apiKey, fetch });
    const receiver = mailbox();
    const { executionId } = await client.executions.trigger({
      prompt: "x",
      model: "openai/finishes",
      callbackUrl: receiver.url,
      callbackSecret,
    });
    const [letter] = await receiver.letters(1);
    const { headers = {}, body = "" } = letter ?? {};
    const callback = await verifyCallback({ secret: callbackSecret, headers, body });
    expect(callback).toEqual({
      type: "execution.completed",
      timestamp: expect.any(String),
      ...(await client.executions.result(executionId)),
    });
    const other = verifyCallback({ secret: "another secret", headers, body });
    await expect(other).rejects.toMatchObject({ fault: "wrong_signature" });
  },
);

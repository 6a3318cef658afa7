import { describe, expect, it } from "vitest";
import * as z from "zod";
import { triggerAccepted } from "../../../src/contract/account.ts";
import { AGENT, expectProblem, newAccount } from "../../support/worker/client.ts";

const accepted = z.strictObject(triggerAccepted.shape);

async function open(credits = 10_000) {
  const { get, post } = await newAccount({ credits });
  return {
    start: (body: object, headers: Record<string, string> = {}) =>
      post(`${AGENT}/trigger`, body, headers),
    read: async (path: string) => (await get(`${AGENT}/${path}`)).json(),
  };
}

const { start } = await open();

describe("POST /trigger", () => {
  it("accepts a prompt, holds its credits and returns its location", async () => {
    const own = await open(100);
    const type = { "Content-Type": "application/json; charset=UTF-8" };
    const response = await own.start({ prompt: "Dö it.", maxCredits: 30 }, type);
    expect(response.status).toBe(202);
    const body = accepted.parse(await response.json());
    expect(body).toMatchObject({ status: "active", availableCredits: 70 });
    expect(response.headers.get("Location")).toBe(`${AGENT}/trigger/${body.executionId}/status`);
    expect(response.headers.get("Idempotency-Replayed")).toBeNull();
  });

  it("repeats the response for the same key and body, starts once, and refuses another body", async () => {
    const own = await open(100);
    const key = { "Idempotency-Key": "order-1007" };
    const body = { prompt: "Do it.", maxCredits: 30 };
    const all = await Promise.all([1, 2, 3].map(() => own.start(body, key)));
    const texts = await Promise.all(all.map((response) => response.text()));
    expect(new Set(texts).size).toBe(1);
    const replayed = all.map(({ headers }) => headers.get("Idempotency-Replayed"));
    expect(replayed.toSorted()).toEqual([null, "true", "true"]);
    expect(await own.read("credits")).toMatchObject({ availableCredits: 70 });
    const other = await own.start({ prompt: "Do more." }, key);
    await expectProblem(other, 422, "idempotency_key_reused");
    expect(other.headers.get("RateLimit")).not.toBeNull();
  });

  it.each(["", "with space", "é", "x".repeat(256)])(
    "refuses the idempotency key %j",
    async (key) => {
      const response = await start({ prompt: "x" }, { "Idempotency-Key": key });
      await expectProblem(response, 400, "invalid_request");
    },
  );

  it("answers 402 before anything starts if the balance is empty", async () => {
    const own = await open(0);
    await expectProblem(await own.start({ prompt: "Do it." }), 402, "insufficient_credits");
    expect(await own.read("trigger/list")).toEqual({ executions: [], nextCursor: null });
  });

  it.each([null, "http://127.0.0.1:9999/"])(
    "accepts the callback address %j",
    async (callbackUrl) => {
      expect((await start({ prompt: "x", callbackUrl })).status).toBe(202);
    },
  );

  it.each([
    [{ callbackUrl: "http://receiver.example/" }, "callbackUrl", "https"],
    [{ callbackUrl: "https://10.0.0.1/" }, "callbackUrl", "private"],
    [{ callbackUrl: "https://prompthook.example/x" }, "callbackUrl", "service itself"],
    [{ model: "nobody/knows" }, "model", "builtin/demo"],
    [{ model: "workers-ai/@cf/openai/gpt-oss-120b" }, "model", "needs the AI binding: deploy with"],
    [{ promt: "y" }, "promt", "Unknown field `promt`. Did you mean `prompt`? Allowed: prompt,"],
    [{ tools: ["browze"] }, "tools[0]", "must be one of browse, "],
    [
      { outputSchema: { properties: { email: { pattern: "^(a+)+$" } } } },
      "outputSchema.properties.email.pattern",
      "",
    ],
  ])("refuses %j with the field and the reason", async (change, path, reason) => {
    const refused = await start({ prompt: "x", ...change });
    const { errors, detail } = await expectProblem(refused, 400, "invalid_request");
    expect(errors?.map((error) => error.path)).toEqual([path]);
    expect(detail).toContain(reason);
  });
});

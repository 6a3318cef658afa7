import { describe, expect, it } from "vitest";
import * as z from "zod";
import { triggerAccepted } from "../../../src/contract/account.ts";
import { AGENT, expectProblem, newAccount, send } from "../../support/worker/client.ts";

const post = (apiKey: string, body: unknown, headers: Record<string, string> = {}) =>
  send(`${AGENT}/trigger`, { method: "POST", token: apiKey, body, headers });

async function creditsOf(apiKey: string) {
  const response = await send(`${AGENT}/credits`, { token: apiKey });
  return z.looseObject({ availableCredits: z.int() }).parse(await response.json());
}

describe("POST /trigger", () => {
  it("accepts a prompt, holds its credits and says where to look", async () => {
    const { apiKey } = await newAccount({ credits: 100 });
    const response = await post(apiKey, { prompt: "Do it.", maxCredits: 30 });
    expect(response.status).toBe(202);
    const body = z.strictObject(triggerAccepted.shape).parse(await response.json());
    expect(body).toMatchObject({ status: "active", availableCredits: 70 });
    expect(response.headers.get("Location")).toBe(`${AGENT}/trigger/${body.executionId}/status`);
    expect(response.headers.get("Idempotency-Replayed")).toBeNull();
  });

  it("accepts every field at once", async () => {
    const { apiKey } = await newAccount();
    const response = await post(apiKey, {
      prompt: "Do it.",
      callbackUrl: "https://receiver.example/callback",
      callbackSecret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      callbackEvents: ["completed", "waiting_for_input"],
      outputSchema: { type: "object", properties: { total: { type: "number" } } },
      inputs: { list: [1, { deep: null }] },
      model: "openai/hangs",
      tools: ["browse", "finish"],
      approvals: ["browse"],
      interactive: true,
      maxCredits: 5,
      maxSteps: 3,
      timeoutSeconds: 60,
      inputTimeoutSeconds: 60,
      metadata: { order: "1007" },
    });
    expect(response.status).toBe(202);
  });

  it("takes a body whose charset is named, and whose bytes are counted, not its length", async () => {
    const { apiKey } = await newAccount();
    const type = { "Content-Type": "application/json; charset=UTF-8" };
    expect((await post(apiKey, { prompt: "ü" }, type)).status).toBe(202);
  });

  it("gives the same answer to the same key and body, and starts once", async () => {
    const { apiKey } = await newAccount({ credits: 100 });
    const key = { "Idempotency-Key": "order-1007" };
    const all = await Promise.all(
      [1, 2, 3].map(() => post(apiKey, { prompt: "Do it.", maxCredits: 30 }, key)),
    );
    const bodies = await Promise.all(all.map((response) => response.text()));
    expect(new Set(bodies).size).toBe(1);
    const replayed = all.map(({ headers }) => headers.get("Idempotency-Replayed"));
    expect(replayed.filter((header) => header === null).length).toBe(1);
    expect(replayed.filter((header) => header === "true").length).toBe(2);
    expect((await creditsOf(apiKey)).availableCredits).toBe(70);
  });

  it("refuses a key that comes again with another body", async () => {
    const { apiKey } = await newAccount();
    const key = { "Idempotency-Key": "order-1007" };
    await post(apiKey, { prompt: "Do it." }, key);
    const second = await post(apiKey, { prompt: "Do more." }, key);
    await expectProblem(second, 422, "idempotency_key_reused");
    expect(second.headers.get("RateLimit")).not.toBeNull();
  });

  it.each(["", "with space", "é", "x".repeat(256)])(
    "refuses the idempotency key %j",
    async (key) => {
      const { apiKey } = await newAccount();
      const response = await post(apiKey, { prompt: "x" }, { "Idempotency-Key": key });
      await expectProblem(response, 400, "invalid_request");
    },
  );

  it("answers 402 before anything starts when the balance is empty", async () => {
    const { apiKey } = await newAccount({ credits: 0 });
    await expectProblem(await post(apiKey, { prompt: "Do it." }), 402, "insufficient_credits");
    const list = await send(`${AGENT}/trigger/list`, { token: apiKey });
    expect(await list.json()).toEqual({ executions: [], nextCursor: null });
  });

  it("calls back nowhere where the address is null", async () => {
    const { apiKey } = await newAccount();
    const response = await post(apiKey, { prompt: "x", callbackUrl: null });
    expect(response.status).toBe(202);
  });

  it.each([
    ["http://receiver.example/", "https"],
    ["https://10.0.0.1/", "private"],
    ["https://169.254.169.254/latest", "private"],
    ["https://prompthook.example/x", "service itself"],
    ["https://user:password@receiver.example/", "password"],
    ["ftp://receiver.example/", "https"],
    ["receiver.example", "not a valid"],
    ["javascript:alert(1)", "https"],
  ])("refuses to call back to %s", async (callbackUrl, reason) => {
    const { apiKey } = await newAccount();
    const problem = await expectProblem(
      await post(apiKey, { prompt: "x", callbackUrl }),
      400,
      "invalid_request",
    );
    expect(problem.errors?.[0]?.path).toBe("callbackUrl");
    expect(problem.detail).toContain(reason);
  });

  it("takes a loopback address for callbacks where that is allowed", async () => {
    const { apiKey } = await newAccount();
    const response = await post(apiKey, { prompt: "x", callbackUrl: "http://127.0.0.1:9999/" });
    expect(response.status).toBe(202);
  });

  it("names the known models when one is not known", async () => {
    const { apiKey } = await newAccount();
    const problem = await expectProblem(
      await post(apiKey, { prompt: "x", model: "nobody/knows" }),
      400,
      "invalid_request",
    );
    expect(problem.detail).toContain("builtin/demo");
  });

  it("says what a model needs that cannot be used here", async () => {
    const { apiKey } = await newAccount();
    const problem = await expectProblem(
      await post(apiKey, { prompt: "x", model: "workers-ai/@cf/openai/gpt-oss-120b" }),
      400,
      "invalid_request",
    );
    expect(problem.detail).toContain("needs the AI binding: deploy the service");
  });

  it("names the allowed fields and values when one is not known", async () => {
    const { apiKey } = await newAccount();
    const problem = await expectProblem(
      await post(apiKey, { prompt: "x", promt: "y", tools: ["browze"] }),
      400,
      "invalid_request",
    );
    const said = problem.errors?.map(({ path, message }) => `${path}: ${message}`).join("\n");
    expect(said).toContain(
      "Unknown field `promt`. Did you mean `prompt`? Allowed: prompt, callbackUrl",
    );
    expect(said).toContain("tools[0]: must be one of browse, ");
  });

  it("refuses an output schema that cannot be used, saying where", async () => {
    const { apiKey } = await newAccount();
    const problem = await expectProblem(
      await post(apiKey, {
        prompt: "x",
        outputSchema: { properties: { email: { pattern: "^(a+)+$" } } },
      }),
      400,
      "invalid_request",
    );
    expect(problem.errors?.[0]?.path).toBe("outputSchema.properties.email.pattern");
  });
});

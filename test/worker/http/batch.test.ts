import { expect, it } from "vitest";
import * as z from "zod";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import { AGENT, callsOf, expectProblem, newAccount } from "../../support/worker/client.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const prompt = promptOf({ finish: { summary: "Done." } });
const good = { prompt, model: "openai/scripted", maxCredits: 10 };
const results = z.object({
  results: z.array(
    z.object({
      status: z.int(),
      executionId: z.string().optional(),
      availableCredits: z.int().optional(),
      problem: z.object({ code: z.string(), errors: z.unknown().optional() }).optional(),
    }),
  ),
});

async function open(credits: number) {
  const account = await newAccount({ credits, requestsPerMinute: 60 });
  const post = (executions: unknown[], headers: Record<string, string> = {}) =>
    account.post(`${AGENT}/trigger/batch`, { executions }, headers);
  return {
    post,
    async start(...args: Parameters<typeof post>) {
      const response = await post(...args);
      expect(response.status).toBe(200);
      return results.parse(await response.json()).results;
    },
    async grant(amount: number) {
      const path = `/api/v1/admin/accounts/${account.accountId}/credits`;
      const granted = await callsOf(ADMIN_TOKEN).post(path, { amount, note: "more" });
      expect(granted.status).toBe(200);
    },
    async listed() {
      const page = await (await account.get(`${AGENT}/trigger/list?limit=100`)).json();
      return z.object({ executions: z.array(z.unknown()) }).parse(page).executions;
    },
  };
}

it("each execution of a batch is accepted or refused individually, in order", async () => {
  const { start, listed } = await open(25);
  const [first, second, third, fourth, fifth] = await start([
    good,
    { ...good, promt: "x" },
    good,
    "no object",
    good,
  ]);
  expect(first).toMatchObject({ status: 202, availableCredits: 15 });
  expect(second).toMatchObject({ status: 400, problem: { errors: [{ path: "promt" }] } });
  expect(third).toMatchObject({ status: 202, availableCredits: 5 });
  expect(fourth).toMatchObject({ status: 400, problem: { code: "invalid_request" } });
  expect(fifth).toMatchObject({ status: 402, problem: { code: "insufficient_credits" } });
  expect(await listed()).toHaveLength(2);
});

it("a batch with an Idempotency-Key starts once, and refuses another body", async () => {
  const { post, start, listed } = await open(100);
  const headers = { "Idempotency-Key": "batch-1" };
  const first = await start([good, good], headers);
  const repeat = await post([good, good], headers);
  expect(repeat.headers.get("Idempotency-Replayed")).toBe("true");
  expect(results.parse(await repeat.json()).results).toEqual(first);
  const other = { ...good, maxCredits: 9 };
  for (const body of [[good, other], ["no object"], ["no object", "neither", other]])
    await expectProblem(await post(body, headers), 422, "idempotency_key_reused");
  expect(await listed()).toHaveLength(2);
});

it("a repeated batch tries again what was refused, and is marked as replayed if it starts nothing", async () => {
  const { post, listed, grant } = await open(10);
  const headers = { "Idempotency-Key": "batch-2" };
  const mark = async () =>
    (await post([good, good, "no object"], headers)).headers.get("Idempotency-Replayed");
  expect(await mark()).toBeNull();
  expect(await mark()).toBe("true");
  await grant(10);
  expect(await mark()).toBeNull();
  expect(await mark()).toBe("true");
  expect(await listed()).toHaveLength(2);
  const refused = await post(["no object"], { "Idempotency-Key": "batch-3" });
  expect(refused.headers.get("Idempotency-Replayed")).toBeNull();
});

it("each ten of a batch count as one request, and a batch above the limit starts none", async () => {
  const { post, listed } = await open(10_000);
  const rest = async (executions: unknown[]) =>
    /r=(\d+)/.exec((await post(executions)).headers.get("RateLimit") ?? "")?.[1];
  const invalid = Array.from({ length: 100 }, () => ({}));
  expect(await rest(Array.from({ length: 11 }, () => good))).toBe("58");
  expect(await rest(invalid)).toBe("48");
  for (let n = 0; n < 4; n += 1) await post(invalid);
  const tooMany = await post(Array.from({ length: 90 }, () => good));
  await expectProblem(tooMany, 429, "rate_limited");
  expect(await listed()).toHaveLength(11);
});

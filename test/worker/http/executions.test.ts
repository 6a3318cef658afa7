import { describe, expect, it } from "vitest";
import * as z from "zod";
import { executionResult, executionRow, executionState } from "../../../src/contract/execution.ts";
import {
  AGENT,
  allPages,
  callsOf,
  expectProblem,
  faultsOf,
  newAccount,
  send,
  trigger,
  untilEvent,
  untilStatus,
} from "../../support/worker/client.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const { apiKey } = await newAccount();

const at = (id: string, what: string) => `${AGENT}/trigger/${id}/${what}`;
const get = (id: string, what: string, headers: Record<string, string> = {}) =>
  send(at(id, what), { token: apiKey, headers });
const post = (id: string, what: string, body?: unknown, headers: Record<string, string> = {}) =>
  callsOf(apiKey).post(at(id, what), body, headers);

async function finished(model = "openai/finishes"): Promise<string> {
  const id = await trigger(apiKey, { model, interactive: true });
  await untilStatus(apiKey, id, "completed", "failed");
  return id;
}

async function running(): Promise<string> {
  const id = await trigger(apiKey);
  await untilEvent(apiKey, id, "step.started");
  return id;
}

describe("status", () => {
  it("answers right after the trigger, in the shape of the contract", async () => {
    const id = await trigger(apiKey);
    const response = await get(id.toUpperCase(), "status");
    expect(response.status).toBe(200);
    const found = z.strictObject(executionState.shape).parse(await response.json());
    expect(found).toMatchObject({ executionId: id, status: "active" });
    expect(response.headers.get("ETag")).toBe(`"${found.version}"`);
  });

  it("answers 304 while the client has the current version", async () => {
    const id = await running();
    const tag = (await get(id, "status")).headers.get("ETag") ?? "";
    const response = await get(id, "status", { "If-None-Match": `"0", W/${tag}` });
    expect(response.status).toBe(304);
    expect(response.headers.get("ETag")).toBe(tag);
    expect(response.headers.get("RateLimit")).not.toBeNull();
    expect(await response.text()).toBe("");
    expect((await get(id, "status", { "If-None-Match": '"0"' })).status).toBe(200);
  });
});

describe("result", () => {
  it("is available in part before the end on request", async () => {
    const gate = mailbox();
    await gate.answer("hold");
    const emit = { label: "Note", type: "text", value: "as far as this" };
    const prompt = promptOf(
      { calls: [{ tool: "emit_output", input: emit }] },
      { gate: gate.name, finish: { summary: "Done." } },
    );
    const id = await trigger(apiKey, { model: "openai/scripted", prompt });
    await gate.letters(1);
    const part = executionResult.parse(await (await get(id, "result?partial=true")).json());
    expect(part).toMatchObject({ status: "active", outputs: [emit], finishedAt: null });
    await expectProblem(await get(id, "result?partial=false"), 409, "result_not_ready");
    expect(await faultsOf(await get(id, "result?partial=yes"))).toEqual(["partial"]);
  });

  it("is 409 before the end, or is sent when available if the request waits", async () => {
    const id = await running();
    const early = await get(id, "result");
    await expectProblem(early, 409, "result_not_ready");
    expect(Number(early.headers.get("Retry-After"))).toBeGreaterThan(0);
    await expectProblem(await get(id, "result?waitSeconds=1"), 409, "result_not_ready");
    const waiting = get(id, "result?waitSeconds=30");
    await post(id, "stop");
    const result = executionResult.parse(await (await waiting).json());
    expect(result).toMatchObject({ executionId: id, status: "stopped" });
  });
});

describe("message", () => {
  it("is queued, and gets the same response if repeated", async () => {
    const id = await running();
    const key = { "Idempotency-Key": "m-1" };
    const first = await post(id, "message", { message: "Be quick." }, key);
    expect(first.status).toBe(202);
    const body = await first.json();
    expect(body).toMatchObject({ executionId: id, delivery: "queued", position: 1 });
    const again = await post(id, "message", { message: "Be quick." }, key);
    expect(await again.json()).toEqual(body);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    const other = await post(id, "message", { message: "Be slow." }, key);
    await expectProblem(other, 422, "idempotency_key_reused");
  });

  it("answers a question, and is refused after the end", async () => {
    const id = await trigger(apiKey, { model: "openai/asks", interactive: true });
    await untilStatus(apiKey, id, "waiting_for_input");
    expect((await post(id, "message", { message: "2026" })).status).toBe(202);
    await untilStatus(apiKey, id, "completed");
    const late = await post(id, "message", { message: "Hello?" });
    await expectProblem(late, 409, "execution_not_active");
  });
});

describe("stop", () => {
  it("needs no body, and is final, also before the session has its input", async () => {
    const id = await trigger(apiKey);
    const response = await post(id, "stop");
    expect(response.status).toBe(200);
    const body = await response.json();
    expect(body).toMatchObject({ status: "stopped", statusDetail: "user_request" });
    expect(await (await post(id, "stop", { reason: "Again." })).json()).toEqual(body);
  });

  it("returns the end of an ended execution", async () => {
    const response = await post(await finished(), "stop");
    expect(await response.json()).toMatchObject({ status: "completed", statusDetail: "done" });
  });
});

it.each([
  ["message", { message: "Hello." }],
  ["stop", {}],
] as const)("If-Match allows a %s only at the named version", async (what, body) => {
  const id = await running();
  const tag = (await get(id, "status")).headers.get("ETag") ?? "";
  const late = await post(id, what, body, { "If-Match": '"0"' });
  const problem = await expectProblem(late, 412, "version_mismatch");
  expect(late.headers.get("ETag")).toBe(tag);
  expect(problem.detail).toContain(tag.replaceAll('"', ""));
  const weak = await post(id, what, body, { "If-Match": `W/${tag}` });
  await expectProblem(weak, 400, "invalid_request");
  expect((await post(id, what, body, { "If-Match": tag })).ok).toBe(true);
});

it("files are served with their type and name, and cannot run scripts", async () => {
  const id = await finished("openai/writes-a-file");
  const { outputs } = executionResult.parse(await (await get(id, "result")).json());
  const response = await get(id, `files/${outputs[0]?.outputId}`);
  expect(response.status).toBe(200);
  expect(await response.text()).toBe("name,price\nTea,3.20\n");
  expect(response.headers.get("Content-Type")).toContain("text/csv");
  expect(response.headers.get("Content-Disposition")).toBe(
    `attachment; filename="Prices ___.csv"; filename*=UTF-8''Prices%20%22%C3%BC%22.csv`,
  );
  expect(response.headers.get("Content-Security-Policy")).toContain("sandbox");
  await expectProblem(await get(id, "files/out_nobody"), 404, "not_found");
});

it("callbacks need an allowed address, and are redelivered only after the end", async () => {
  const id = await running();
  const redeliver = (body?: object) => post(id, "callbacks/redeliver", body);
  const callbackUrl = "https://receiver.example/";
  await expectProblem(await redeliver({ callbackUrl }), 409, "result_not_ready");
  const inside = await redeliver({ callbackUrl: "https://10.0.0.1/" });
  expect(await faultsOf(inside)).toEqual(["callbackUrl"]);
  await post(id, "stop");
  expect(await (await get(id, "callbacks")).json()).toEqual({ attempts: [], state: "none" });
  expect(await faultsOf(await redeliver())).toEqual(["callbackUrl"]);
});

describe("the list", () => {
  const row = z.strictObject(executionRow.shape);
  const idsFor = async (token: string, query = "") => {
    const path = `${AGENT}/trigger/list?limit=2${query}`;
    const rows = await allPages(token, path, "executions", row);
    return rows.map(({ executionId }) => executionId);
  };

  it("finds words in the prompt, the summary, the metadata and the id", async () => {
    const { apiKey: key } = await newAccount();
    const prompt = "Read the Invoice of October.";
    const id = await trigger(key, { prompt, metadata: { order: "A-1007" } });
    await trigger(key, { prompt: "Read the invoice of May." });
    const found = (q: string) => idsFor(key, `&q=${encodeURIComponent(q)}`);
    for (const q of ["october INVOICE", "a-1007", id]) expect(await found(q)).toEqual([id]);
    expect(await found("invoice")).toHaveLength(2);
    expect(await found("october nowhere")).toEqual([]);
    await callsOf(key).post(at(id, "stop"), { reason: "Enough" });
    await expect.poll(() => found("enough")).toEqual([id]);
  });

  it("filters by status, given several times or with commas", async () => {
    const { apiKey: key } = await newAccount();
    const stopped = await trigger(key);
    await callsOf(key).post(at(stopped, "stop"));
    const active = await trigger(key);
    await expect.poll(() => idsFor(key, "&status=stopped")).toEqual([stopped]);
    for (const [query, ids] of [
      ["&status=active", [active]],
      ["&status=active&status=stopped", [active, stopped]],
      ["&status=active,stopped&origin=api", [active, stopped]],
      ["&status=failed", []],
      ["&createdAfter=2999-01-01T00:00:00Z", []],
      ["&createdBefore=2999-01-01T00:00:00%2B02:00", [active, stopped]],
    ] as const) {
      expect(await idsFor(key, query), query).toEqual(ids);
    }
  });
});

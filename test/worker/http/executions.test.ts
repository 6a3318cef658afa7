import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import {
  executionResult,
  executionRow,
  executionState,
  RESULT_BY_STATUS,
  resultFields,
} from "../../../src/contract/execution.ts";
import { executionTask } from "../../../src/contract/task.ts";
import {
  AGENT,
  expectProblem,
  newAccount,
  send,
  trigger,
  untilEvent,
  untilStatus,
} from "../../support/worker/client.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

let apiKey: string;
beforeAll(async () => {
  ({ apiKey } = await newAccount());
});

const at = (id: string, what: string) => `${AGENT}/trigger/${id}/${what}`;
const get = (id: string, what: string, headers: Record<string, string> = {}) =>
  send(at(id, what), { token: apiKey, headers });
const post = (id: string, what: string, body?: unknown, headers: Record<string, string> = {}) =>
  send(at(id, what), { method: "POST", token: apiKey, body, headers });

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
  it("answers right after the trigger, in the shape that the contract gives it", async () => {
    const id = await trigger(apiKey);
    const response = await get(id, "status");
    expect(response.status).toBe(200);
    const state = z.strictObject(executionState.shape).parse(await response.json());
    expect(state).toMatchObject({ executionId: id, status: "active" });
    expect(response.headers.get("ETag")).toBe(`"${state.version}"`);
  });

  it("takes an id in capital letters for the same", async () => {
    const id = await trigger(apiKey);
    expect((await get(id.toUpperCase(), "status")).status).toBe(200);
  });

  it("answers 304 while the version is the one that the client has", async () => {
    const id = await running();
    const tag = (await get(id, "status")).headers.get("ETag") ?? "";
    for (const header of [tag, `W/${tag}`, `"0", ${tag}`, "*"]) {
      const response = await get(id, "status", { "If-None-Match": header });
      expect(response.status).toBe(304);
      expect(response.headers.get("ETag")).toBe(tag);
      expect(response.headers.get("RateLimit")).not.toBeNull();
      expect(await response.text()).toBe("");
    }
    expect((await get(id, "status", { "If-None-Match": '"0"' })).status).toBe(200);
  });

  it("waits until the version passes the one that is named", async () => {
    const id = await running();
    const { version } = executionState.parse(await (await get(id, "status")).json());
    const waiting = get(id, `status?sinceVersion=${version}&waitSeconds=30`);
    await post(id, "stop");
    const state = executionState.parse(await (await waiting).json());
    expect(state.version).toBeGreaterThan(version);
    expect(state.status).toBe("stopped");
  });
});

describe("result", () => {
  it("is there once the execution has ended", async () => {
    const id = await finished();
    const response = await get(id, "result");
    expect(response.status).toBe(200);
    const result = z
      .strictObject({ ...resultFields.shape, ...RESULT_BY_STATUS.completed })
      .parse(await response.json());
    expect(result).toMatchObject({ status: "completed", model: "openai/finishes" });
    expect(response.headers.get("ETag")).toBe(`"${result.version}"`);
  });

  it("is read before the end where part of it is asked for", async () => {
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
    await expectProblem(await get(id, "result?partial=yes"), 400, "invalid_request");
  });

  it("is sent when the execution ends, where the request waits for it", async () => {
    const id = await running();
    const waiting = get(id, "result?waitSeconds=30");
    await post(id, "stop");
    const result = executionResult.parse(await (await waiting).json());
    expect(result).toMatchObject({ executionId: id, status: "stopped" });
  });

  it("is 409 if the execution has not ended when the time to wait is up", async () => {
    const response = await get(await running(), "result?waitSeconds=1");
    await expectProblem(response, 409, "result_not_ready");
  });

  it("is 409 before, with the time to wait", async () => {
    const response = await get(await running(), "result");
    await expectProblem(response, 409, "result_not_ready");
    expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
  });
});

describe("the task", () => {
  it("is what was asked for, with its defaults, and without the secret", async () => {
    const asked = {
      prompt: "Do it. ".repeat(100),
      inputs: { city: "Bergen" },
      approvals: ["send_email"],
      metadata: { order: "1007" },
      callbackUrl: "https://receiver.example/",
    };
    const id = await trigger(apiKey, { ...asked, callbackSecret: "a secret of mine" });
    const response = await get(id, "task");
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).not.toContain("a secret of mine");
    expect(z.strictObject(executionTask.shape).parse(JSON.parse(text))).toMatchObject({
      ...asked,
      executionId: id,
      isCallbackSigned: true,
      maxSteps: 30,
      origin: "api",
      inbound: null,
    });
  });
});

describe("message", () => {
  it("is queued, and answered the same when it comes again", async () => {
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

  it("answers a question", async () => {
    const id = await trigger(apiKey, { model: "openai/asks", interactive: true });
    await untilStatus(apiKey, id, "waiting_for_input");
    expect((await post(id, "message", { message: "2026" })).status).toBe(202);
    await untilStatus(apiKey, id, "completed");
  });

  it("is refused after the end", async () => {
    const response = await post(await finished(), "message", { message: "Hello?" });
    await expectProblem(response, 409, "execution_not_active");
  });

  it("is refused when its approval names no waiting call", async () => {
    const approval = { callId: "call_1", decision: "approve" };
    const response = await post(await running(), "message", { approval });
    const problem = await expectProblem(response, 400, "invalid_request");
    expect(problem.errors?.[0]?.path).toBe("approval.callId");
  });
});

describe("stop", () => {
  it("needs no body and is final", async () => {
    const id = await running();
    const response = await post(id, "stop");
    expect(response.status).toBe(200);
    const body = await response.json();
    expect(body).toMatchObject({ status: "stopped", statusDetail: "user_request" });
    expect(await (await post(id, "stop", { reason: "Again." })).json()).toEqual(body);
  });

  it("stops right after the trigger, before the session knows itself", async () => {
    const id = await trigger(apiKey);
    expect(await (await post(id, "stop", {})).json()).toMatchObject({ status: "stopped" });
  });

  it("answers with what it is when the execution had ended", async () => {
    const response = await post(await finished(), "stop");
    expect(await response.json()).toMatchObject({ status: "completed", statusDetail: "done" });
  });
});

describe("If-Match", () => {
  it.each([
    ["message", { message: "Hello." }],
    ["stop", {}],
  ] as const)("lets a %s pass only while the version is the one named", async (what, body) => {
    const id = await running();
    const tag = (await get(id, "status")).headers.get("ETag") ?? "";
    const late = await post(id, what, body, { "If-Match": '"0"' });
    const problem = await expectProblem(late, 412, "version_mismatch");
    expect(late.headers.get("ETag")).toBe(tag);
    expect(problem.detail).toContain(tag.replaceAll('"', ""));
    for (const header of [`W/${tag}`, "7", "x", `${tag}, "9"`]) {
      const response = await post(id, what, body, { "If-Match": header });
      await expectProblem(response, 400, "invalid_request");
    }
    expect((await post(id, what, body, { "If-Match": tag })).ok).toBe(true);
    const any = await post(await running(), what, body, { "If-Match": "*" });
    expect(any.ok).toBe(true);
  });
});

describe("files", () => {
  it("come with their type and their name, and can run nothing", async () => {
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
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    await expectProblem(await get(id, "files/out_nobody"), 404, "not_found");
  });
});

describe("callbacks", () => {
  it("are none without an address", async () => {
    const id = await finished();
    expect(await (await get(id, "callbacks")).json()).toEqual({ attempts: [], state: "none" });
    const problem = await expectProblem(
      await post(id, "callbacks/redeliver"),
      400,
      "invalid_request",
    );
    expect(problem.errors?.[0]?.path).toBe("callbackUrl");
  });

  it("are not delivered again before the end, nor to where none may go", async () => {
    const id = await running();
    const callbackUrl = "https://receiver.example/";
    const early = await post(id, "callbacks/redeliver", { callbackUrl });
    await expectProblem(early, 409, "result_not_ready");
    const inside = await post(id, "callbacks/redeliver", { callbackUrl: "https://10.0.0.1/" });
    await expectProblem(inside, 400, "invalid_request");
  });
});

describe("the list", () => {
  const page = z.strictObject({
    executions: z.array(z.strictObject(executionRow.shape)),
    nextCursor: z.string().nullable(),
  });
  const list = async (token: string, query = "") =>
    page.parse(await (await send(`${AGENT}/trigger/list${query}`, { token })).json());

  it("shows an execution at once, the newest first, page by page", async () => {
    const { apiKey: key } = await newAccount();
    const ids: string[] = [];
    for (let each = 0; each < 5; each += 1) ids.unshift(await trigger(key));
    const seen: string[] = [];
    let query = "?limit=2";
    for (;;) {
      const { executions, nextCursor } = await list(key, query);
      seen.push(...executions.map(({ executionId }) => executionId));
      if (nextCursor === null) break;
      query = `?limit=2&cursor=${nextCursor}`;
    }
    expect(seen).toEqual(ids);
  });

  it("finds words in the prompt, the summary, the metadata and the id", async () => {
    const { apiKey: key } = await newAccount();
    const prompt = "Read the Invoice of October.";
    const id = await trigger(key, { prompt, metadata: { order: "A-1007" } });
    await trigger(key, { prompt: "Read the invoice of May." });
    const idsFor = async (q: string) =>
      (await list(key, `?q=${encodeURIComponent(q)}`)).executions.map((one) => one.executionId);
    for (const q of ["october INVOICE", "a-1007", id]) expect(await idsFor(q)).toEqual([id]);
    expect(await idsFor("invoice")).toHaveLength(2);
    await expect.poll(() => idsFor("october nowhere")).toEqual([]);
    await send(at(id, "stop"), { method: "POST", token: key, body: { reason: "Enough" } });
    await expect.poll(() => idsFor("enough")).toEqual([id]);
  });

  it("filters by status, given several times or with commas", async () => {
    const { apiKey: key } = await newAccount();
    const stopped = await trigger(key);
    await send(at(stopped, "stop"), { method: "POST", token: key });
    const active = await trigger(key);
    const idsFor = async (query: string) =>
      (await list(key, query)).executions.map(({ executionId }) => executionId);
    await expect.poll(() => idsFor("?status=stopped")).toEqual([stopped]);
    expect(await idsFor("?status=active")).toEqual([active]);
    expect(await idsFor("?status=active&status=stopped")).toEqual([active, stopped]);
    expect(await idsFor("?status=active,stopped&origin=api")).toEqual([active, stopped]);
    expect(await idsFor("?status=failed")).toEqual([]);
    expect(await idsFor("?createdAfter=2999-01-01T00:00:00Z")).toEqual([]);
    expect(await idsFor("?createdBefore=2999-01-01T00:00:00%2B02:00")).toEqual([active, stopped]);
  });
});

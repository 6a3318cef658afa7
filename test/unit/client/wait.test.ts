import { describe, expect, it } from "vitest";
import * as z from "zod";
import { WaitTimeoutError } from "../../../src/client/error.ts";
import { RUNTIME } from "../../../src/client/transport.ts";
import type { ExecutionState } from "../../../src/contract/execution.ts";
import {
  type Act,
  answer,
  drop,
  hang,
  refuse,
  type ScriptedService,
  serving,
} from "../../support/scripted-service.ts";
import { EXECUTION_ID, emptyResult, stateAt } from "../../support/states.ts";

const BASE = `/api/v1/agent/trigger/${EXECUTION_ID}`;
let service: ScriptedService;

async function clientOf(...acts: Act[]) {
  service = await serving(...acts);
  return service.client();
}

/** A page that a proxy shows in place of the service. */
const page: Act = (response) => void response.end("<html>");

const accepted = answer({ executionId: EXECUTION_ID, status: "active", availableCredits: 9 }, 202);

const state = (version: number, status?: ExecutionState["status"]) =>
  answer(stateAt(version, status));

describe("wait", () => {
  it("polls for a version after the known one, reports each state once, and returns the result", async () => {
    const failed = emptyResult("failed");
    const { client } = await clientOf(
      state(1),
      state(1),
      state(4, "waiting_for_input"),
      state(6, "failed"),
      answer(failed),
    );
    const seen: string[] = [];
    const onProgress = ({ version, status }: ExecutionState) => {
      seen.push(`${version} ${status}`);
    };
    expect(await client.executions.wait(EXECUTION_ID, { onProgress })).toEqual(failed);
    expect(seen).toEqual(["1 active", "4 waiting_for_input", "6 failed"]);
    expect(service.asked.map(({ path }) => path)).toEqual([
      `${BASE}/status`,
      `${BASE}/status?sinceVersion=1&waitSeconds=30`,
      `${BASE}/status?sinceVersion=1&waitSeconds=30`,
      `${BASE}/status?sinceVersion=4&waitSeconds=30`,
      `${BASE}/result`,
    ]);
  });

  const limited = refuse(429, "rate_limited", { "Retry-After": "7" });

  it("continues when a poll fails, or is rate-limited any number of times", async () => {
    const { client, pauses } = await clientOf(
      ...new Array<Act>(6).fill(limited),
      state(1),
      drop,
      refuse(429, "rate_limited", { "Retry-After": "300" }),
      state(2, "completed"),
      limited,
      answer(emptyResult()),
    );
    expect(await client.executions.wait(EXECUTION_ID)).toEqual(emptyResult());
    const seconds = pauses.map((ms) => Math.floor(ms / 1_000)).filter((each) => each > 0);
    expect(seconds).toEqual([7, 7, 7, 7, 7, 7, 300, 7]);
  });

  it("times out even if its polls are rate-limited", async () => {
    service = await serving(refuse(429, "rate_limited", { "Retry-After": "3600" }));
    const { client } = service.client({ runtime: { sleep: RUNTIME.sleep } });
    const waiting = client.executions.wait(EXECUTION_ID, { timeoutMs: 100 });
    await expect(waiting).rejects.toThrow(WaitTimeoutError);
  });

  it("polls less and less often an execution that changes each time", async () => {
    const busy = Array.from({ length: 8 }, (_, index) => state(index + 1));
    const { client, pauses } = await clientOf(
      ...busy,
      state(9, "completed"),
      answer(emptyResult()),
    );
    await client.executions.wait(EXECUTION_ID);
    expect(pauses).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000]);
  });

  it("times out, and says that the execution continues", async () => {
    const { client } = await clientOf(state(1), hang);
    const waiting = client.executions.wait(EXECUTION_ID, { timeoutMs: 100 });
    await expect(waiting).rejects.toThrow(WaitTimeoutError);
    await expect(waiting).rejects.toMatchObject({
      executionId: EXECUTION_ID,
      message: `Execution ${EXECUTION_ID} did not finish within 100 ms. It continues.`,
    });
  });

  it("ends with the caller's reason when it is aborted", async () => {
    const { client } = await clientOf(state(1), hang);
    const reason = new Error("enough");
    const leaving = new AbortController();
    const waiting = client.executions.wait(EXECUTION_ID, { signal: leaving.signal });
    await expect.poll(() => service.asked.length).toBe(2);
    leaving.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(reason).toMatchObject({ executionId: EXECUTION_ID });
  });

  it("rethrows an error of the listener", async () => {
    const { client } = await clientOf(state(1));
    const fault = new Error("not like this");
    const onProgress = () => Promise.reject(fault);
    await expect(client.executions.wait(EXECUTION_ID, { onProgress })).rejects.toBe(fault);
  });
});

describe("run", () => {
  it.each([
    ["a refused poll", refuse(403, "insufficient_scope"), "PrompthookError"],
    ["a poll that a proxy answers", page, "UnexpectedResponseError"],
    ["a connection that stays lost", drop, "ConnectionError"],
  ])("names the started execution if it ends with %s", async (_, act, name) => {
    const { client } = await clientOf(accepted, act);
    await expect(client.executions.run({ prompt: "Do it." })).rejects.toMatchObject({
      name,
      executionId: EXECUTION_ID,
    });
  });

  it("names no execution if it started none", async () => {
    const { client } = await clientOf(refuse(402, "insufficient_credits"));
    const error = await client.executions.run({ prompt: "Do it." }).catch((thrown) => thrown);
    expect(error).toMatchObject({ status: 402 });
    expect(error.executionId).toBeUndefined();
  });

  it("triggers, waits, and returns the result", async () => {
    const { client } = await clientOf(accepted, state(2, "completed"), answer(emptyResult()));
    const result = await client.executions.run({ prompt: "Do it." }, { idempotencyKey: "k" });
    expect(result.presentedResult.summary).toBe("Done.");
    expect(service.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /api/v1/agent/trigger",
      `GET ${BASE}/status`,
      `GET ${BASE}/result`,
    ]);
    expect(service.asked[0]?.headers["idempotency-key"]).toBe("k");
  });
});

describe("run with a schema of a library", () => {
  const outputSchema = z.object({ at: z.string().transform((text) => new Date(text)) });
  const running = (data: unknown) => {
    const { presentedResult, ...result } = emptyResult();
    const ended = answer({ ...result, presentedResult: { ...presentedResult, data } });
    return clientOf(accepted, state(2, "completed"), ended);
  };

  it("sends it as JSON Schema, and returns the parsed data", async () => {
    const { client } = await running({ at: "2026-11-20" });
    const { presentedResult } = await client.executions.run({ prompt: "Read.", outputSchema });
    expect(presentedResult.data?.at.getUTCFullYear()).toBe(2026);
    expect(JSON.parse(service.asked[0]?.body ?? "")).toMatchObject({
      outputSchema: { type: "object", properties: { at: { type: "string" } }, required: ["at"] },
    });
  });

  it("fails if the schema refuses the data, and names the execution", async () => {
    const { client } = await running({ at: 9 });
    await expect(client.executions.run({ prompt: "Read.", outputSchema })).rejects.toMatchObject({
      name: "UnexpectedResponseError",
      executionId: EXECUTION_ID,
    });
  });
});

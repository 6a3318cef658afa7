import { exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { PrompthookError, WaitTimeoutError } from "../../../src/client/error.ts";
import { Prompthook } from "../../../src/client/prompthook.ts";
import type { Fetch } from "../../../src/client/transport.ts";
import type { ExecutionEvent } from "../../../src/contract/events.ts";
import { newAccount, ORIGIN } from "../../support/worker/client.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const worker: Fetch = (request) => exports.default.fetch(request);
let apiKey: string;
let client: Prompthook;

beforeAll(async () => {
  ({ apiKey } = await newAccount());
  client = new Prompthook({ baseUrl: ORIGIN, apiKey, fetch: worker });
});

describe("the client in a Worker", () => {
  it("runs an agent to its result and tells how it comes along", async () => {
    const seen: string[] = [];
    const result = await client.executions.run(
      {
        prompt: promptOf({ finish: { summary: "Done.", data: { n: 1 } } }),
        model: "openai/scripted",
      },
      { onProgress: ({ status }) => void seen.push(status) },
    );
    expect(result).toMatchObject({
      status: "completed",
      presentedResult: { summary: "Done.", data: { n: 1 } },
    });
    expect(seen[0]).toBe("active");
    expect(seen.at(-1)).toBe("completed");
  });

  it("answers a question that comes while it waits", async () => {
    const result = await client.executions.run(
      { prompt: "Ask.", model: "openai/asks", interactive: true },
      {
        async onProgress({ executionId, question }) {
          if (question === undefined) return;
          expect(question.text).toBe("Which year?");
          await client.executions.message(executionId, { message: "1998" });
        },
      },
    );
    expect(result.presentedResult.summary).toBe("Thank you.");
  });

  it("follows the log to its last entry", async () => {
    const { executionId } = await client.executions.trigger({
      prompt: "x",
      model: "openai/writes-a-file",
    });
    const events: ExecutionEvent[] = [];
    for await (const event of client.executions.stream(executionId)) events.push(event);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)).toMatchObject({ type: "status", data: { status: "completed" } });
    const { seq } = events.at(-2) ?? { seq: 0 };
    const rest: ExecutionEvent[] = [];
    for await (const event of client.executions.stream(executionId, { after: seq }))
      rest.push(event);
    expect(rest).toEqual(events.slice(-1));
    for await (const _ of client.executions.stream(executionId, { after: events.length })) {
      expect.unreachable("nothing follows the last entry");
    }
    const result = await client.executions.wait(executionId);
    const file = await client.executions.file(executionId, result.outputs[0]?.outputId ?? "");
    expect(await file.text()).toBe("name,price\nTea,3.20\n");
  });

  it("leaves an execution alone whose wait is given up, and stops it when told so", async () => {
    const { executionId } = await client.executions.trigger({ prompt: "x", model: "openai/hangs" });
    await expect(client.executions.wait(executionId, { timeoutMs: 200 })).rejects.toThrow(
      WaitTimeoutError,
    );
    expect(await client.executions.status(executionId)).toMatchObject({ status: "active" });
    await client.executions.stop(executionId, { reason: "enough" });
    expect(await client.executions.wait(executionId)).toMatchObject({ status: "stopped" });
  });

  it("stops following when it is told so", async () => {
    const { executionId } = await client.executions.trigger({ prompt: "x", model: "openai/hangs" });
    const leaving = new AbortController();
    const reason = new Error("enough");
    const following = async () => {
      for await (const { type } of client.executions.stream(executionId, {
        signal: leaving.signal,
      })) {
        if (type === "step.started") leaving.abort(reason);
      }
    };
    await expect(following()).rejects.toBe(reason);
    await client.executions.stop(executionId);
  });

  it("is told what the service refuses", async () => {
    const refused = client.executions.trigger({ prompt: " " });
    await expect(refused).rejects.toThrow(PrompthookError);
    await expect(refused).rejects.toMatchObject({
      status: 400,
      code: "invalid_request",
      errors: [{ path: "prompt" }],
    });
    const stranger = new Prompthook({ baseUrl: ORIGIN, apiKey: "ph_live_x", fetch: worker });
    await expect(stranger.credits()).rejects.toMatchObject({ code: "unauthorized" });
  });
});

import { describe, expect, it } from "vitest";
import type { ExecutionResult } from "../../../src/contract/execution.ts";
import type { Json } from "../../../src/contract/json.ts";
import { valueIn } from "../../../src/contract/outputs.ts";
import { emailOutput } from "../../../src/contract/tools/write.ts";
import { openOffice } from "../../support/worker/approvals.ts";
import { eventsOf, resultOf } from "../../support/worker/client.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { ordersAt, TOO_MANY_ORDERS } from "../../support/worker/orders.ts";
import type { ScriptedStep } from "../../support/worker/scripted.ts";

const { apiKey, start, ended } = await openOffice();

const call = (id: string, tool: string, input: Json) => ({ id, tool, input });
const done: ScriptedStep = { finish: { summary: "The total is 7." } };

const read = (url: string) => call("read", "browse", { url });
const sum = call("sum", "process_data", {
  sources: [{ callId: "read" }],
  extract: { kind: "table" },
  operations: [{ op: "aggregate", aggregates: [{ fn: "sum", column: "amount" }] }],
});
const mail = (id: string, more: Record<string, Json> = {}) =>
  call(id, "send_email", { to: ["ann@example.com"], subject: id, text: "It is 7.", ...more });
const NOTE = "Note: based on a source that was cut at 2 MiB; figures may be incomplete.";

async function run(...steps: [ScriptedStep, ...ScriptedStep[]]): Promise<ExecutionResult> {
  const id = await start([...steps, done]);
  expect(await ended(id)).toMatchObject({ status: "completed" });
  return resultOf(apiKey, id);
}

describe("a result of a cut source", () => {
  it("is marked in tables, files, e-mail and effects, with a note for readers", async () => {
    const result = await run(
      { calls: [read(await ordersAt(TOO_MANY_ORDERS))] },
      {
        calls: [
          sum,
          call("code", "run_code", { code: "return answers[0].rows", from: ["sum"] }),
          call("table", "emit_output", { label: "table", type: "table", from: "sum" }),
          call("book", "write_spreadsheet", {
            format: "xlsx",
            filename: "a.xlsx",
            label: "book",
            sheets: [{ name: "Orders", from: "sum" }],
          }),
          call("json", "emit_output", { label: "json", type: "json", from: "code" }),
          mail("named", { sources: ["code"] }),
          mail("attached", { sources: ["table"], attachments: ["book"] }),
        ],
      },
    );
    expect(result.outputs.map(({ label, truncated }) => [label, truncated])).toEqual([
      ["table", true],
      ["book", true],
      ["json", true],
      ["E-mail to ann@example.com", true],
      ["E-mail to ann@example.com", true],
    ]);
    for (const { sources } of result.outputs) {
      expect(sources).toContainEqual(expect.objectContaining({ cut: "2 MiB" }));
    }
    for (const letter of result.outputs.slice(-2)) {
      expect(emailOutput.parse(valueIn(letter)).text).toBe(`It is 7.\n\n${NOTE}`);
    }
    expect(result.effects).toMatchObject([
      { effectId: "named", state: "confirmed", truncated: true },
      { effectId: "attached", state: "confirmed", truncated: true },
    ]);
    expect(result.presentedResult).toMatchObject({ truncated: true });
    const events = await eventsOf(apiKey, result.executionId);
    const cuts = events
      .filter(({ type }) => type === "tool.finished")
      .map(({ data }) => [data.callId, data.cuts]);
    expect(cuts).toContainEqual(["sum", ["2 MiB"]]);
    expect(cuts).toContainEqual(["code", ["2 MiB"]]);
  });

  it("is sent by a request only after the model was told that it carries no note", async () => {
    const api = mailbox();
    const post = (id: string, more: Record<string, Json> = {}) =>
      call(id, "http_request", { method: "POST", url: api.url, body: { total: 7 }, ...more });
    const result = await run(
      {
        calls: [
          read(await ordersAt(TOO_MANY_ORDERS)),
          call("other", "browse", { url: await ordersAt(1) }),
        ],
      },
      { calls: [post("whole", { sources: ["other"] })] },
      { calls: [post("first")] },
      { calls: [post("second", { body: { total: 7, incomplete: true } })] },
    );
    expect(await api.letters()).toMatchObject([
      { body: '{"total":7}' },
      { body: '{"total":7,"incomplete":true}' },
    ]);
    expect(result.effects).toEqual([
      expect.not.objectContaining({ truncated: expect.anything() }),
      expect.objectContaining({ effectId: "second", state: "confirmed", truncated: true }),
    ]);
    const refused = (await eventsOf(apiKey, result.executionId)).find(
      ({ type, data }) => type === "tool.finished" && data.callId === "first",
    );
    expect(refused?.data).toMatchObject({
      ok: false,
      error: { code: "truncated_source", message: expect.stringContaining("at 2 MiB (read)") },
      credits: 0,
    });
  });
});

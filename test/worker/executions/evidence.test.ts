import { describe, expect, it } from "vitest";
import type { ExecutionResult } from "../../../src/contract/execution.ts";
import type { Json } from "../../../src/contract/json.ts";
import { type Output, valueIn } from "../../../src/contract/outputs.ts";
import { emailOutput } from "../../../src/contract/tools/write.ts";
import { openOffice } from "../../support/worker/approvals.ts";
import { eventsOf, resultOf } from "../../support/worker/client.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { ordersAt, TOO_MANY_ORDERS } from "../../support/worker/orders.ts";
import type { ScriptedStep } from "../../support/worker/scripted.ts";

const { apiKey, start, ended } = await openOffice();

const call = (id: string, tool: string, input: Json) => ({ id, tool, input });
const emit = (id: string, input: Record<string, Json>) =>
  call(id, "emit_output", { label: id, ...input });

async function pageAt(rows: string[]): Promise<string> {
  const site = mailbox();
  const cells = rows.map((row) => `<tr><td>${row}</td><td>4</td></tr>`).join("");
  const body = `<title>Shop</title><table><tr><th>Item</th><th>Price</th></tr>${cells}</table>`;
  await site.answer({ headers: { "content-type": "text/html" }, body });
  return site.url;
}

/** An address that redirects to another. */
async function doorTo(url: string): Promise<string> {
  const door = mailbox();
  await door.answer({ status: 302, headers: { location: url }, body: "" });
  return door.url;
}

async function run(...steps: [ScriptedStep, ...ScriptedStep[]]): Promise<ExecutionResult> {
  const id = await start([...steps, { finish: { summary: "Done." } }]);
  expect(await ended(id)).toMatchObject({ status: "completed" });
  return resultOf(apiKey, id);
}

/** Follows each source to its event: the calls that it leads to, each with the address it gives. */
async function follow({ executionId }: ExecutionResult, { label, sources }: Output) {
  const events = await eventsOf(apiKey, executionId);
  const followed = sources.map(({ eventSeq, url }) => {
    const event = events.find(({ seq }) => seq === eventSeq);
    expect(event, `${label} leads to an answer`).toMatchObject({
      type: "tool.finished",
      data: { ok: true },
    });
    return [String(event?.data.callId), url ?? null] as const;
  });
  expect(followed.length, label).toBeGreaterThan(0);
  return Object.fromEntries(followed);
}

describe("the sources of an output", () => {
  it("are the successful calls, if the output is the answer itself", async () => {
    const tea = await pageAt(["Tea"]);
    const result = await run({
      calls: [call("tea", "browse", { url: tea }), call("gone", "browse", { url: "ftp://no" })],
    });
    const [answer, ...others] = result.outputs;
    expect(others).toEqual([]);
    expect(answer).toMatchObject({ label: "Answer", type: "text", value: "Done." });
    expect(answer && (await follow(result, answer))).toEqual({ tea });
  });

  it("lead through every tool to the pages and answers, at their final addresses", async () => {
    const [tea, cups, api] = [await pageAt(["Tea"]), await pageAt(["Cup"]), mailbox()];
    const door = await doorTo(tea);
    await api.answer({ headers: { "content-type": "application/json" }, body: '[{"n":1}]' });
    const result = await run(
      {
        calls: [
          call("tea", "browse", { url: door }),
          call("cups", "browse", { url: cups }),
          call("api", "http_request", { url: api.url }),
        ],
      },
      {
        calls: [
          call("rows", "process_data", {
            sources: [{ callId: "tea" }, { callId: "cups" }],
            extract: { kind: "table" },
          }),
          call("sum", "run_code", {
            code: "return answers[0].rows.length + answers[1].json[0].n",
            from: ["rows", "api"],
          }),
          call("book", "write_spreadsheet", {
            format: "xlsx",
            filename: "prices.xlsx",
            label: "book",
            sheets: [{ name: "Prices", from: "rows" }],
          }),
          emit("page as text", { type: "text", from: "tea" }),
          emit("sum as json", { type: "json", from: "sum" }),
          emit("own words", { type: "text", value: "Tea is dearer.", sources: ["sum", "tea"] }),
          call("mail", "send_email", {
            to: ["ann@example.com"],
            subject: "Prices",
            text: "See the file.",
            attachments: ["book"],
            sources: ["sum"],
          }),
        ],
      },
    );
    const rows = { rows: null, tea, cups };
    const sum = { sum: null, api: api.url, ...rows };
    const expected: Record<string, Record<string, string | null>> = {
      book: rows,
      "page as text": { tea },
      "sum as json": sum,
      "own words": sum,
      "E-mail to ann@example.com": { book: null, ...sum },
    };
    expect(result.outputs.map(({ label }) => label)).toEqual(Object.keys(expected));
    for (const output of result.outputs) {
      expect(await follow(result, output), output.label).toEqual(expected[output.label]);
    }
  });

  it("are the output call itself if the model names none", async () => {
    const page = await pageAt(["Tea"]);
    const result = await run(
      { calls: [call("tea", "browse", { url: page })] },
      { calls: [emit("note", { type: "text", value: "Tea costs 4." })] },
    );
    expect(await follow(result, result.outputs[0] ?? never())).toEqual({ note: null });
  });
});

const read = (url: string) => call("read", "browse", { url });
const sum = call("sum", "process_data", {
  sources: [{ callId: "read" }],
  extract: { kind: "table" },
  operations: [{ op: "aggregate", aggregates: [{ fn: "sum", column: "amount" }] }],
});
const mail = (id: string, more: Record<string, Json> = {}) =>
  call(id, "send_email", { to: ["ann@example.com"], subject: id, text: "It is 7.", ...more });
const NOTE = "Note: based on a source that was cut at 2 MiB; figures may be incomplete.";

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

function never(): never {
  throw new Error("there is no output");
}

import { describe, expect, it } from "vitest";
import type { ExecutionResult } from "../../../src/contract/execution.ts";
import type { Json } from "../../../src/contract/json.ts";
import type { Output } from "../../../src/contract/outputs.ts";
import { openOffice } from "../../support/worker/approvals.ts";
import { eventsOf, resultOf } from "../../support/worker/client.ts";
import { mailbox } from "../../support/worker/objects.ts";
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

function never(): never {
  throw new Error("there is no output");
}

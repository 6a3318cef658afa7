import { describe, expect, it } from "vitest";
import { browse } from "../../../../../src/agent/tools/browse.ts";
import { processData } from "../../../../../src/agent/tools/process-data.ts";
import { runCode } from "../../../../../src/agent/tools/run-code.ts";
import { isRefused } from "../../../../../src/agent/tools/tool.ts";
import type { ToolAnswer } from "../../../../../src/contract/tools/call.ts";
import { browseInput, pageContent, pagePart } from "../../../../../src/contract/tools/web.ts";
import { nodeSandbox } from "../../../../support/sandbox.ts";
import { startServer } from "../../../../support/server.ts";
import { untilEnd } from "../../../../support/until-end.ts";
import { toolContext } from "../support.ts";

const ROWS = 1_000;
const HTML = `<title>Stock</title><h1>Stock</h1><table><tr><th>item</th><th>count</th></tr>${Array.from(
  { length: ROWS },
  (_, row) => `<tr><td>item ${row}</td><td>${row}</td></tr>`,
).join("")}</table>`;

let requests = 0;
const earlier: Record<string, ToolAnswer> = {};
const context = toolContext({ earlier });

/** Calls browse and keeps the answer under an id. */
async function call(callId: string, raw: object) {
  const result = await browse(null).run(browseInput.parse(raw), context);
  earlier[callId] = result.answer;
  return result;
}

const site = await untilEnd(
  startServer((_, response) => {
    requests += 1;
    response.setHeader("content-type", "text/html").end(HTML);
  }),
);
await call("page", { url: site.origin });

/** The text of the page. */
function whole(): string {
  return pageContent.parse(earlier.page?.ok && earlier.page.content).text;
}

describe("a call that continues an earlier one", () => {
  it("returns the text from the position, without another request", async () => {
    const before = requests;
    const { answer, url, basedOn } = await call("part", { callId: "page", offset: 5_000 });
    expect(requests).toBe(before);
    expect({ url, basedOn }).toEqual({ url: `${site.origin}/`, basedOn: ["page"] });
    const { page, title, excerpt } = pagePart.parse(answer.ok && answer.content);
    expect({ page, title }).toEqual({ page: "page", title: "Stock" });
    expect(excerpt.offset).toBe(5_000);
    expect(excerpt.total).toBe(whole().length);
    expect(whole().slice(5_000)).toContain(excerpt.text);
  });

  it("continues from a part as from the page, and is empty past the end", async () => {
    const { answer } = await call("next", { callId: "part", offset: 10_000_000 });
    const { page, excerpt } = pagePart.parse(answer.ok && answer.content);
    expect(page).toBe("page");
    expect(excerpt).toEqual({ offset: whole().length, text: "", total: whole().length });
  });

  it.each([
    [{ callId: "nothing", offset: 1 }, "There is no earlier call nothing."],
    [{ callId: "failed", offset: 1 }, "The call failed failed, so it has no page."],
    [{ callId: "rows", offset: 1 }, "The call rows opened no page. Name a browse call."],
  ])("is refused without a page, and free: %j", async (raw, message) => {
    earlier.failed = { ok: false, error: { code: "timeout", message: "Too late." } };
    const content = { columns: [], rows: [], rowCount: 0, notes: [], cut: false };
    earlier.rows = { ok: true, content };
    const { answer } = await call("refused", raw);
    expect(answer).toMatchObject({ ok: false, error: { message } });
    expect(isRefused(answer)).toBe(true);
  });
});

describe("a part of a page", () => {
  it.each(["part", "next"])("stands for the whole page in other tools: %s", async (callId) => {
    const { answer } = await processData.run(
      processData.input.parse({
        sources: [{ callId }],
        extract: { kind: "table" },
        operations: [{ op: "aggregate", aggregates: [{ fn: "count" }] }],
      }),
      context,
    );
    expect(answer).toMatchObject({ content: { rows: [[ROWS]] } });
    const code = "return answers[0].tables[0].rows.length;";
    const ran = await runCode(nodeSandbox).run({ code, from: [callId] }, context);
    expect(ran.answer).toMatchObject({ content: { value: ROWS } });
  });
});

it.each([
  [{}, "url"],
  [{ url: "https://example.com", callId: "page" }, "url"],
  [{ url: "https://example.com", offset: 1 }, "offset"],
  [{ callId: "page", render: "always" }, "callId"],
])("refuses a contradictory input: %j", (raw, path) => {
  const { error } = browseInput.safeParse(raw);
  expect(error?.issues.map((issue) => issue.path.join("."))).toEqual([path]);
});

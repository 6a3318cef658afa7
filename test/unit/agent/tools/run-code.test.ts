import { describe, expect, it } from "vitest";
import { runCode } from "../../../../src/agent/tools/run-code.ts";
import type { Json } from "../../../../src/contract/json.ts";
import type { ToolAnswer } from "../../../../src/contract/tools/call.ts";
import { nodeSandbox } from "../../../support/sandbox.ts";
import { toolContext } from "./support.ts";

const earlier: Record<string, ToolAnswer> = {
  page: {
    ok: true,
    content: { title: "Teas", links: [{ text: "Mint", url: "https://x.example/" }] },
  },
  data: { ok: true, content: { columns: ["a"], rows: [[1], [2]] } },
  failed: { ok: false, error: { code: "timeout", message: "late" } },
};

const tool = runCode(nodeSandbox);

async function run(raw: { code: string; input?: Json; from?: string[] }, signal?: AbortSignal) {
  const context = toolContext(signal ? { earlier, signal } : { earlier });
  return tool.run(tool.input.parse(raw), context);
}

async function resultOf(code: string, more: { input?: Json; from?: string[] } = {}) {
  const { answer } = await run({ code, ...more });
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.content;
}

async function errorOf(code: string, from: string[] = []) {
  const { answer } = await run({ code, from });
  if (answer.ok) throw new Error("it did not fail");
  return answer.error;
}

describe("run_code", () => {
  it.each([
    ["an object", "return {sum: [1, 2, 3].reduce((a, b) => a + b)};", { sum: 6 }],
    ["nothing", ";", null],
    ["a date", "return new Date(0)", "1970-01-01T00:00:00.000Z"],
    ["what is no number", "return [NaN, Infinity]", [null, null]],
    ["what it awaits", "const n = await Promise.resolve(5); return n + 1;", 6],
    ["a promise", "return Promise.resolve(7)", 7],
    ["a comment at its end", "return 1 // one", 1],
  ])("converts %s as JSON does", async (_, code, value) => {
    expect(await resultOf(code)).toEqual({ value, console: [], cut: false });
  });

  it("has its input, and the answers in the order in which they are named", async () => {
    const code = "return [input.n, answers.map((answer) => Object.keys(answer)[0])]";
    expect(await resultOf(code, { input: { n: 4 }, from: ["data", "page"] })).toMatchObject({
      value: [4, ["columns", "title"]],
    });
    expect(await resultOf("return [input, answers]")).toMatchObject({ value: [null, []] });
  });

  it("is based on the calls that it used", async () => {
    const { basedOn } = await run({ code: "return 1", from: ["data", "page", "data"] });
    expect(basedOn).toEqual(["data", "page"]);
    const context = toolContext({ earlier, cutReads: ["page"] });
    const own = await tool.run({ code: "return 1", from: [] }, context);
    expect(own.basedOn).toEqual(["page"]);
  });

  it.each(["nowhere", "failed"])("refuses the call %s before anything runs", async (callId) => {
    const { code, message } = await errorOf("for (;;);", ["data", callId]);
    expect(code).toBe("unknown_call");
    expect(message).toContain(callId);
  });

  it("does not start when it is aborted", async () => {
    await expect(run({ code: "return 1" }, AbortSignal.abort())).rejects.toThrow("aborted");
  });
});

describe("an error of the code", () => {
  it("has the line and the stack of the exception", async () => {
    const code = "const price = (row) =>\n  row.price.toFixed(2);\n\nreturn price({});";
    expect(await errorOf(code)).toEqual({
      code: "code_error",
      message:
        "TypeError: cannot read property 'toFixed' of undefined\n  at price, line 2\n  at code, line 4",
    });
  });

  it("has the line of a syntax error", async () => {
    const { code, message } = await errorOf("let a = 1;\nlet b = (2;\nreturn a;");
    expect(code).toBe("code_error");
    expect(message).toMatch(/^SyntaxError: .*\n {2}at line 2$/);
  });

  it.each([
    ["throw 'no'", "The code threw no"],
    ["throw {status: 404}", 'The code threw {"status":404}'],
    ["throw null", "The code threw null"],
    ["return Promise.reject(new RangeError('far'))", "RangeError: far"],
    ["return await import('fs')", "could not load module 'fs'"],
    ["setTimeout(() => {}, 1)", "'setTimeout' is not defined"],
    ["await new Promise(() => {})", "no timers and no network"],
  ])("reports %s", async (code, message) => {
    expect(await errorOf(code)).toMatchObject({
      code: "code_error",
      message: expect.stringContaining(message),
    });
  });

  it.each(["() => 1", "Symbol('s')"])("says that %s cannot be JSON", async (value) => {
    expect(await errorOf(`return ${value}`)).toMatchObject({ code: "not_json" });
  });

  it("includes the last lines of the console", async () => {
    const { message } = await errorOf("console.log('got here'); null.x");
    expect(message).toContain("Its console ended with:\ngot here");
  });
});

describe("the console", () => {
  it("prints strings unchanged and other values as JSON, one line for each call", async () => {
    const code = `
      console.log("a", {b: [1]}, undefined, null, 5n, () => 1, Symbol("s"));
      console.error(new TypeError("bad"));
      console.info();`;
    expect(await resultOf(code)).toMatchObject({
      console: [
        'a {"b":[1]} undefined null 5n [Function: anonymous] Symbol(s)',
        "TypeError: bad",
        "",
      ],
      cut: false,
    });
  });

  it("keeps a limited part, with a note", async () => {
    const content = await resultOf(
      "for (let i = 0; i < 10000; i++) console.log('line ' + i); return 1",
    );
    expect(content).toMatchObject({ value: 1, cut: true });
    expect(JSON.stringify(content).length).toBeLessThan(34_000);
  });
});

import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { ago, columns, jsonLine, Output, oneLine, plain } from "../../../src/cli/terminal.ts";
import { testTerminal } from "../../support/cli/terminal.ts";

describe("plain", () => {
  it("keeps line breaks, tabs and all letters", () => {
    expect(plain("Löwe\n\t✓ 猫 👍")).toBe("Löwe\n\t✓ 猫 👍");
  });

  it.each(["\u001b", "\u0007", "\r", "\u0000", "\u007f", "\u009b", "\b", "\u202e", "\u2066"])(
    "neutralizes %j",
    (character) => {
      expect(plain(`a${character}b`)).toBe("a\ufffdb");
    },
  );
});

it("jsonLine is the same JSON without control characters", () => {
  const value = { text: "\u009b2J\u001b[31m\u007f ü 猫 \u2028\u2029" };
  const line = jsonLine(value);
  expect(line).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}]+$/u);
  expect(JSON.parse(line)).toEqual(value);
});

it("oneLine joins lines and cuts between characters", () => {
  expect(oneLine("  one\n\n two\t", 20)).toBe("one two");
  expect(oneLine("👍👍👍👍", 3)).toBe("👍👍…");
});

it("columns are as wide as their content; the last may be of any length", () => {
  expect(
    columns([
      ["ID", "NAME", "WHAT"],
      ["1", "one", "a long text"],
      ["22", "x"],
    ]),
  ).toBe("ID  NAME  WHAT\n1   one   a long text\n22  x");
});

const at = "2026-11-20T09:30:00.000Z";
it.each([
  [-5_000, "now"],
  [500, "now"],
  [60_000, "1 min ago"],
])("ago after %d ms is %s", (ms, text) => {
  expect(ago(at, Date.parse(at) + ms)).toBe(text);
});

describe("a question", () => {
  it("is answered by a line, and with nothing at the end of the input", async () => {
    const asked = (input: string) => new Output(testTerminal({ input }), false).ask("Apply this?");
    expect(await asked("yes\nno\n")).toBe("yes");
    expect(await asked("")).toBe("");
  });

  it("ends on Ctrl-C", async () => {
    const terminal = { ...testTerminal(), stdin: new PassThrough() };
    const asked = new Output(terminal, false).ask("Apply this?");
    terminal.interrupt();
    await expect(asked).rejects.toThrow("aborted");
  });
});

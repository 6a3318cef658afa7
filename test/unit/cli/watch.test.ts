import { describe, expect, it } from "vitest";
import { nameOf } from "../../../src/cli/files.ts";
import { Output } from "../../../src/cli/terminal.ts";
import {
  describe as describeEvent,
  howToAnswer,
  Progress,
  resultText,
} from "../../../src/cli/watch.ts";
import type { ExecutionResult } from "../../../src/contract/execution.ts";
import type { Json } from "../../../src/contract/json.ts";
import {
  type Output as Made,
  type StoredOutput,
  shownOutput,
} from "../../../src/contract/outputs.ts";
import { testTerminal } from "../../support/cli/terminal.ts";
import { EXECUTION_ID, emptyResult, eventAt, lastAt } from "../../support/states.ts";

describe("an entry of the log", () => {
  const error = { code: "refused", message: "refused" };

  it.each([
    [eventAt(1, "status", { status: "active", statusDetail: "planning" }), null],
    [lastAt(1), "completed (done)"],
    [eventAt(1, "plan", { parts: ["count the rows"] }), "plan: count the rows"],
    [eventAt(1, "plan", { parts: ["a", "b"] }), "plan:\n    1. a\n    2. b"],
    [eventAt(1, "plan", {}), null],
    [eventAt(1, "log", { message: "Opening it,\nto read." }), "Opening it, to read."],
    [eventAt(1, "tool.started", { tool: "browse", description: "Opening x" }), "browse: Opening x"],
    [eventAt(1, "tool.finished", { tool: "browse", ok: true }), null],
    [eventAt(1, "tool.finished", { tool: "browse", ok: false, error }), "browse failed: refused"],
    [eventAt(1, "output", { label: "Links" }), "output: Links"],
    [eventAt(1, "question", { kind: "question", text: "Which?" }), "asks: Which?"],
    [eventAt(1, "step.started", { step: 1 }), null],
  ])("is described in words: %o", (event, words) => {
    expect(describeEvent(event)).toBe(words);
  });

  const ASKED = { text: "Which?", askedAt: "2026-11-20T09:30:00.000Z", decisionId: "dec_1" };

  it("explains how to answer a question", () => {
    const answer = howToAnswer("id", { kind: "question", ...ASKED });
    expect(answer).toBe('  Answer with: prompthook message id "your answer"');
  });

  it("shows the whole of a call that waits for approval", () => {
    const input = { to: ["a@example.com", "b@example.com"], subject: "Hi\u001b[8m" };
    expect(
      howToAnswer("id", { kind: "approval", callId: "call_3", tool: "t", input, ...ASKED }),
    ).toBe(`  Input:
    {
      "to": [
        "a@example.com",
        "b@example.com"
      ],
      "subject": "Hi\\u001b[8m"
    }
  Decide with: prompthook decisions approve dec_1   or   prompthook decisions deny dec_1`);
  });
});

describe("progress", () => {
  const events = [
    eventAt(1, "status", { status: "active", statusDetail: "planning" }),
    eventAt(2, "step.started", { step: 1 }),
    eventAt(3, "log", { message: "Looking." }),
    eventAt(4, "step.finished", { creditsConsumed: 2 }),
  ];

  it("is one line for each notable event", () => {
    const terminal = testTerminal();
    const progress = new Progress(terminal);
    for (const event of events) progress.show(event);
    expect(terminal.shown("stderr")).toBe("  Looking.\n");
  });

  it("streams what the model writes, and prints it once", () => {
    const terminal = testTerminal();
    const progress = new Progress(terminal);
    for (const piece of ["First li", "ne.\nSecond", " line."]) progress.say(piece);
    expect(terminal.shown("stderr")).toBe("  First line.\n");
    progress.show(eventAt(3, "log", { message: "First line.\nSecond line." }));
    progress.show(eventAt(4, "log", { message: "Another note." }));
    expect(terminal.shown("stderr")).toBe("  First line.\n  Second line.\n  Another note.\n");
    progress.say("A plan.");
    progress.show(eventAt(5, "plan", { parts: ["A plan."] }));
    expect(terminal.shown("stderr")).toMatch(/note\.\n {2}A plan\.\n$/);
  });
});

const made = (change: Partial<StoredOutput>): Made => {
  const output: StoredOutput = {
    outputId: "out_1",
    nodeType: "FILE",
    label: "It",
    type: "text",
    mediaType: "text/plain",
    sources: [],
    createdAt: "2026-11-20T09:30:00.000Z",
    ...change,
  };
  return shownOutput(output, "/files/out_1");
};

describe("a printed result", () => {
  const words = (change: Partial<Omit<ExecutionResult, "status" | "finishedAt">>) =>
    resultText({ ...emptyResult(), ...change }, new Output(testTerminal(), false));

  it("has the status, the cost and the result", () => {
    expect(words({})).toBe("completed  1 credit · builtin/demo\n\nDone.");
  });

  it("shows each kind of output", () => {
    const rows = Array.from({ length: 25 }, (_, index) => ["Tea", index]);
    const text = words({
      outputs: [
        made({ value: "a text" }),
        made({ type: "json", value: { a: 1 } }),
        made({ type: "table", value: { columns: ["name", "price"], rows } }),
        made({ type: "link", url: "https://example.com/" }),
        made({ type: "file", filename: "a.csv", sizeBytes: 12 }),
      ],
    });
    expect(text).toContain("It\na text");
    expect(text).toContain('It\n{\n  "a": 1\n}');
    expect(text).toContain("name  price\nTea   0\nTea   1\n");
    expect(text).toContain("… and 5 rows more");
    expect(text).toContain("It  https://example.com/");
    expect(text).toContain("It  a.csv, 12 bytes");
    expect(text).toContain(`Save the files with: prompthook result ${EXECUTION_ID} --save`);
  });

  it("names a file once, and how to save it unless it is saved", () => {
    const outputs = [made({ type: "file", label: "a.csv", filename: "a.csv", sizeBytes: 1 })];
    expect(words({ outputs })).toContain("\n\na.csv  1 byte\n");
    const output = new Output(testTerminal(), false);
    expect(resultText({ ...emptyResult(), outputs }, output, true)).not.toContain("--save");
  });

  it("shows data that an output table or JSON has as well only once, and what differs", () => {
    const data = [
      { tea: "Oolong", price: 3 },
      { tea: "Sencha", price: 4 },
    ];
    const value = { columns: ["tea", "price"], rows: data.map(({ tea, price }) => [tea, price]) };
    const shown = (data: Json, ...outputs: Made[]) =>
      words({ presentedResult: { summary: "Done.", data }, outputs });
    const table = made({ type: "table", value });
    expect(shown(data, table)).toContain("Done.\n\nIt\ntea     price\nOolong  3\nSencha  4");
    expect(shown(data, table)).not.toContain('"tea"');
    expect(shown(data, made({ type: "json", value: data })).match(/"Oolong"/g)).toHaveLength(1);
    expect(shown([...data, { tea: "Assam", price: 5 }], table)).toContain('"Assam"');
    expect(shown(data)).toContain('"Oolong"');
  });

  it("names effects that may have happened", () => {
    const effect = (target: string, state: "uncertain" | "confirmed") => {
      const at = "2026-11-20T09:30:00.000Z";
      return { effectId: target, idempotencyKey: "x", tool: "send_email", target, state, at };
    };
    const text = words({ effects: [effect("to x", "uncertain"), effect("to y", "confirmed")] });
    expect(text).toContain("Uncertain whether this took effect: send_email to x");
    expect(text).not.toContain("to y");
  });
});

it.each([
  ["report.csv", "report.csv"],
  ["../../etc/passwd", "passwd"],
  ["C:\\Windows\\win.ini", "win.ini"],
  [".bashrc", "bashrc"],
  ["..", "out_1"],
  ["", "out_1"],
  ["a\u001b[2Jb", "a\ufffd[2Jb"],
])("the name of a saved file %j becomes %j", (filename, name) => {
  expect(nameOf({ outputId: "out_1", filename })).toBe(name);
});

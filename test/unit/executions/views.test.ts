import { describe, expect, it } from "vitest";
import { executionResult, executionRow, executionState } from "../../../src/contract/execution.ts";
import type { StoredOutput } from "../../../src/contract/outputs.ts";
import { executionTask } from "../../../src/contract/task.ts";
import type { FinishInput } from "../../../src/contract/tools/call.ts";
import { stopByUser } from "../../../src/executions/machine/lifecycle.ts";
import { resultView, rowView, statusView, taskView } from "../../../src/executions/views.ts";
import { ASK, callOf, END, found, Play, running, START } from "../../support/execution.ts";

const nothing = { outputs: [], effects: [] };
const at = (ms: number) => new Date(START + ms).toISOString();

function fresh(): Play {
  return new Play({ prompt: "p".repeat(500), metadata: { team: "red" } });
}

function asking(): Play {
  const play = fresh();
  play.reply([ASK]);
  play.runs();
  play.now += 1_000;
  play.ask({ question: "Which year?", choices: ["2025", "2026"] });
  return play;
}

function ended(input: FinishInput): Play {
  const play = fresh();
  play.reply([END]);
  play.runs();
  play.now += 2_000;
  play.finish(input);
  return play;
}
const completed = () => ended({ status: "completed", summary: "Done", data: [1] });
const failed = () => ended({ status: "failed", summary: "No such page" });

function stopped(): Play {
  const play = fresh();
  play.commit((t) => stopByUser(t, null));
  return play;
}

it("an execution that waited shows its working time without the wait", () => {
  const play = asking();
  const { activeMs } = statusView(play.seed, play.state);
  expect(activeMs).toBeGreaterThanOrEqual(1_000);
  play.now += 60_000;
  play.commit((t) => stopByUser(t, null));
  expect(statusView(play.seed, play.state)).toMatchObject({ status: "stopped", activeMs });
});

describe.each([fresh, asking, completed, stopped, failed])("an execution that is %o", (make) => {
  it("shows the same status, version and credits in every view, in the shapes of the contract", () => {
    const { seed, state } = make();
    const views = [
      executionState.parse(statusView(seed, state)),
      executionResult.parse(resultView(seed, state, nothing)),
      executionRow.parse(rowView(seed, state)),
    ];
    for (const view of views) {
      expect(view).toMatchObject({
        executionId: seed.executionId,
        status: state.status,
        version: state.version,
        creditsConsumed: state.creditsUsed,
      });
    }
  });
});

describe("progress", () => {
  it("counts steps, and has a percentage only once completed", () => {
    const progressOf = ({ seed, state }: Play) => statusView(seed, state).progress;
    expect(progressOf(fresh())).toMatchObject({ stepsCompleted: 0, currentStep: 1, percent: null });
    expect(progressOf(completed())).toMatchObject({ stepsCompleted: 1, percent: 100 });
    for (const play of [stopped(), failed()]) expect(progressOf(play).percent).toBeNull();
  });
});

describe("the status", () => {
  it("shows the open question", () => {
    const { seed, state } = asking();
    expect(statusView(seed, state).question).toEqual({
      kind: "question",
      text: "Which year?",
      choices: ["2025", "2026"],
      askedAt: at(1_000),
      decisionId: state.decision?.decisionId,
    });
    expect(statusView(seed, completed().state)).not.toHaveProperty("question");
  });

  it("shows an error only after a failure", () => {
    const { seed, state } = failed();
    const error = { code: "cannot_do", message: "No such page" };
    expect(statusView(seed, state).error).toEqual(error);
    expect(resultView(seed, state, nothing)).toMatchObject({ status: "failed", error });
    expect(statusView(seed, stopped().state)).not.toHaveProperty("error");
  });
});

describe("the result", () => {
  it("presents summary and data, and the question while it waits", () => {
    const presented = ({ seed, state }: Play) => resultView(seed, state, nothing).presentedResult;
    expect(presented(completed())).toEqual({ summary: "Done", data: [1] });
    expect(presented(asking())).toEqual({ summary: "Which year?" });
  });

  it("says what is waited for while it waits for an event", () => {
    const play = running([callOf("local", "wait", { tool: "wait_for_event" })]);
    play.returns("wait", { ...found, waitUntil: play.now + 60_000 });
    const { presentedResult } = resultView(play.seed, play.state, nothing);
    expect(presentedResult).toEqual({ summary: "Doing wait" });
  });

  it("has the address of a file's bytes, and keeps a link's own address", () => {
    const { seed, state } = completed();
    const output = (outputId: string, type: "file" | "link"): StoredOutput => ({
      outputId,
      nodeType: "FILE",
      label: outputId,
      type,
      mediaType: "text/csv",
      ...(type === "link" ? { url: "https://example.com" } : {}),
      sources: [],
      createdAt: at(0),
    });
    const made = { outputs: [output("out_1", "file"), output("out_2", "link")], effects: [] };
    expect(resultView(seed, state, made).outputs).toMatchObject([
      { url: `/api/v1/agent/trigger/${seed.executionId}/files/out_1` },
      { url: "https://example.com" },
    ]);
  });
});

describe("the task", () => {
  it("is the request in the shape of the contract, without the secret", () => {
    const callback = { url: "https://a.example/", sealedSecret: "v1.a.b", events: [] };
    const { seed } = new Play({ prompt: "p".repeat(500), callback });
    const view = executionTask.strict().parse(taskView(seed));
    expect(view).toMatchObject({
      prompt: "p".repeat(500),
      callbackUrl: "https://a.example/",
      isCallbackSigned: true,
    });
    expect(JSON.stringify(view)).not.toContain("v1.a.b");
    expect(taskView(fresh().seed)).toMatchObject({ callbackUrl: null, isCallbackSigned: false });
  });
});

describe("the row", () => {
  it("has the short values of the inputs, which distinguish executions of one workflow", () => {
    const inputs = { page: "https://a.example/", many: "x".repeat(100), list: [1] };
    const { seed, state } = new Play({ prompt: "Open {{page}}, {{ many }}, {{list}}.", inputs });
    expect(rowView(seed, state).promptPreview).toBe(
      "Open https://a.example/, {{ many }}, {{list}}.",
    );
  });

  it("previews the prompt and carries the metadata", () => {
    const { seed, state } = fresh();
    const row = rowView(seed, state);
    expect(row.promptPreview).toBe(`${"p".repeat(199)}…`);
    expect(row).toMatchObject({ metadata: { team: "red" }, summary: null, createdAt: at(0) });
  });
});

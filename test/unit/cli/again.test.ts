import { expect, it } from "vitest";
import { runAgainst } from "../../support/cli/terminal.ts";
import { answer } from "../../support/scripted-service.ts";

const cli = (argv: string[], ...answers: [body: unknown, status?: number][]) =>
  runAgainst(
    answers.map(([body, status = 200]) => answer(body, status)),
    argv,
  );

const forecast = {
  matched: 181,
  wouldStart: 180,
  wouldBeRefused: 1,
  estimatedCredits: 720,
  sample: [{ verdict: "refuse", reason: "It did not pass authentication." }],
};
const state = { status: "completed", matched: 3, started: 2, skipped: 1, refused: 0 };

it("replay --dry-run shows what would start, and why others would not", async () => {
  const argv = ["replay", "--failed", "--rejected", "--since", "2h", "--dry-run"];
  const { stdout } = await cli(argv, [forecast]);
  expect(stdout).toContain("181 match, 180 would start, 1 would be rejected");
  expect(stdout).toContain("refuse: It did not pass authentication.");
});

it("replay of a request says why it started nothing", async () => {
  const replayed = { requestId: "req_2", status: "unrouted", executionId: null };
  const argv = ["replay", `ep_${"0".repeat(40)}`, "req_1"];
  const { stdout } = await cli(argv, [replayed, 202]);
  expect(stdout).toBe("req_2  unrouted\n");
});

it("replay follows the started execution to its end", async () => {
  const made = [{ replayId: "rep_1" }, 202] satisfies [unknown, number];
  const { stdout, stderr } = await cli(
    ["replay", "--failed"],
    made,
    [{ ...state, status: "running", started: 1 }],
    [state],
  );
  expect(stderr).toContain("1 started, 1 skipped, 0 rejected of 3");
  expect(stdout).toBe("rep_1  completed: 2 started, 1 skipped, 0 rejected of 3\n");
});

it("rehearse shows changes, and exits 1 if the workflow's expectations fail", async () => {
  const effects = { same: 0, added: [], removed: [{ tool: "t", input: 1 }], changed: [] };
  const failures = ["It does not call t."];
  const figures = { steps: 1, credits: 1, durationMs: 1 };
  const result = { executionId: "e1", effects, dataDiff: [], failures, ...figures };
  const totals = { rehearsed: 1, changed: 1, failed: 1, credits: 4, creditsBefore: 5 };
  const found = { status: "completed", results: [result], totals };
  const workflowId = "wf_4kQ0mYb2Zt7RcX1a9dLw";
  const made = { rehearsalId: "r" };
  const { stdout, exit } = await cli(
    ["rehearse", workflowId],
    [{ workflowId }],
    [made, 202],
    [found],
  );
  expect(stdout).toContain("e1  1 removed; It does not call t.");
  expect(exit).toBe(1);
});

import { expect, it } from "vitest";
import { comparisonOf } from "../../../src/client/compare.ts";
import type { ExecutionEvent } from "../../../src/contract/events.ts";
import type { ExecutionResult } from "../../../src/contract/execution.ts";
import type { JsonObject } from "../../../src/contract/json.ts";
import { executionResultExample } from "../../support/examples.ts";
import { eventAt } from "../../support/states.ts";

/** The log of an execution that makes these calls, a step each, from this step on. */
function logOf(results: (string | { error: string })[], from = 1): ExecutionEvent[] {
  const events = results.flatMap((found, at): [ExecutionEvent["type"], JsonObject][] => {
    const callId = `c${at}`;
    const ended =
      typeof found === "string"
        ? { ok: true, result: found }
        : { ok: false, error: { code: "x", message: found.error } };
    return [
      ["step.started", { step: from + at }],
      [
        "tool.started",
        { callId, tool: "browse", input: { url: `https://a.example/${from + at}` } },
      ],
      ["tool.finished", { callId, tool: "browse", ...ended }],
      ["step.finished", { step: from + at, credits: 2, durationMs: 100 * (at + 1) }],
    ];
  });
  return events.map(([type, data], at) => eventAt(at + 1, type, data));
}

const result = (
  changes: Partial<Extract<ExecutionResult, { status: "completed" }>> = {},
): ExecutionResult => ({ ...executionResultExample, outputs: [], ...changes });

it("reports executions with the same calls and results as equal, whatever they cost", () => {
  const [slow, fast] = [logOf(["one", "two"]), logOf(["one", "two"])];
  for (const { type, data } of slow) if (type === "step.finished") data.durationMs = 9_000;
  const { steps, sameData } = comparisonOf(
    { result: result({ creditsConsumed: 9 }), events: slow },
    { result: result(), events: fast },
  );
  expect(steps.map(({ step, same }) => [step, same])).toEqual([
    [1, true],
    [2, true],
  ]);
  expect(sameData).toBe(true);
});

it("names the first different step, and both results", () => {
  const { steps } = comparisonOf(
    { result: result(), events: logOf(["one", "two"]) },
    { result: result(), events: logOf(["one", { error: "not found" }, "three"]) },
  );
  expect(steps.map(({ same }) => same)).toEqual([true, false, false]);
  expect(steps[1]?.calls).toMatchObject([
    {
      same: false,
      before: { ok: true, result: "two" },
      after: { ok: false, result: { message: "not found" } },
    },
  ]);
  expect(steps[2]).toMatchObject({ before: null, after: { credits: 2 } });
});

it("includes the inherited steps of a continuation", () => {
  const original = result();
  const { steps } = comparisonOf(
    { result: original, events: logOf(["one", "two"]) },
    {
      result: result({ forkOf: { executionId: original.executionId, afterStep: 1 } }),
      events: logOf(["another"], 2),
    },
  );
  expect(steps.map(({ same }) => same)).toEqual([true, false]);
});

it("names changed, added and removed outputs, and different data", () => {
  const output = (label: string, value: string) => ({
    outputId: `out_${value}`,
    nodeType: "TEXT" as const,
    label,
    type: "text" as const,
    mediaType: "text/plain",
    value,
    sources: [],
    createdAt: "2026-11-20T09:30:00.000Z",
  });
  const outputs = [output("Same", "1"), output("Other", "2"), output("Gone", "3")];
  const later = [output("Same", "1"), output("Other", "9"), output("New", "4")];
  const { presentedResult } = result();
  const changed = { ...presentedResult, data: { other: true } };
  const found = comparisonOf(
    { result: result({ outputs }), events: [] },
    { result: result({ outputs: later, presentedResult: changed }), events: [] },
  );
  expect(found).toMatchObject({
    sameData: false,
    outputs: [
      { label: "Same", change: "same" },
      { label: "Other", change: "changed" },
      { label: "Gone", change: "removed" },
      { label: "New", change: "added" },
    ],
  });
});

import { expect, it } from "vitest";
import type { ExecutionRow } from "../../../../src/contract/execution.ts";
import { groupFailures } from "../../../../src/dashboard/pages/executions/failures.tsx";
import { executionRowExample } from "../../../support/examples.ts";

const failed = (changes: Partial<ExecutionRow>): ExecutionRow => ({
  ...executionRowExample,
  status: "failed",
  statusDetail: "source_unavailable",
  workflowId: "wf_orders",
  ...changes,
});

/** The size and the words of each group. */
const groupsOf = (...rows: ExecutionRow[]) =>
  groupFailures(rows).map(({ executions, words }) => [executions.length, words]);

it("groups failures that differ only by address, number, id or quoted name, the largest group first", () => {
  const rows = [
    failed({ summary: 'The column "total" is missing.' }),
    failed({ summary: "https://shop.test/a?page=1 returned status 404." }),
    failed({ summary: 'The column "price" is missing.' }),
    failed({ summary: "https://other.test/b returned status 503." }),
    failed({ summary: "https://shop.test/c returned status 404." }),
  ];
  expect(groupsOf(...rows)).toEqual([
    [3, "Could not open … …"],
    [2, "The column … is missing."],
  ]);
});

it("keeps workflows, reasons and other words apart", () => {
  const summary = "The model refused.";
  expect(
    groupsOf(
      failed({ summary }),
      failed({ summary, workflowId: null }),
      failed({ summary, statusDetail: "model_error" }),
      failed({ summary: "The model timed out." }),
      failed({ summary: null }),
    ),
  ).toEqual([
    [1, "The model refused."],
    [1, "The model refused."],
    [1, "The model refused."],
    [1, "The model timed out."],
    [1, ""],
  ]);
});

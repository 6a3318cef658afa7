import {
  type ComparedCall,
  type ComparedStep,
  type Comparison,
  compare,
  type Pair,
} from "../../client/compare.ts";
import type { Command } from "../command.ts";
import { columns, countOf, duration, oneLine, plain } from "../text.ts";

const MAX_CELL = 60;
const MAX_CALL = 160;

/** `prompthook compare`: what differs is no failure. */
export const compareCommand: Command = {
  name: "compare",
  summary: "Compare two executions step by step",
  args: ["before", "after"],
  async run({ client, output, args: [before = "", after = ""], signal }) {
    const comparison = await compare(client.executions, [before, after], { signal });
    output.print(comparison, textOf);
  },
};

function textOf({ executions, steps, outputs, sameData }: Comparison): string {
  const row = (name: string, cell: (one: (typeof executions)[0]) => string) => [
    name,
    ...executions.map((one) => oneLine(cell(one), MAX_CELL)),
  ];
  const facts = [
    row("execution", ({ executionId }) => executionId),
    row("status", ({ status }) => status),
    row("model", ({ model }) => model),
    row("steps", (one) => String(one.steps)),
    row("credits", ({ credits }) => String(credits)),
    row("duration", ({ durationMs }) => (durationMs === null ? "-" : duration(durationMs))),
    row("summary", ({ summary }) => summary),
  ];
  const differing = outputs.filter(({ change }) => change !== "same");
  return [
    columns(facts),
    ...steps.map(stepText),
    ...differing.map(({ label, change }) => `output ${plain(label)}  ${change}`),
    ...(sameData ? [] : ["data  changed"]),
  ].join("\n");
}

function stepText({ step, same, before, after, calls }: Comparison["steps"][number]): string {
  const facts = [before, after].map((one) => (one === null ? "-" : stepFacts(one))).join(" | ");
  const head = `step ${step}  ${facts}`;
  return same ? `${head}  same` : [head, ...calls.flatMap(callLines)].join("\n");
}

const stepFacts = ({ credits, durationMs }: ComparedStep): string =>
  `${countOf(credits, "credit")}, ${duration(durationMs)}`;

/** The calls at one place of both: one line where they are the same, else one for each. */
function callLines({ same, before, after }: Pair<ComparedCall>): string[] {
  if (same && before !== null) return [`  = ${callText(before)}`];
  return [
    ...(before === null ? [] : [`  - ${callText(before)}`]),
    ...(after === null ? [] : [`  + ${callText(after)}`]),
  ];
}

function callText({ tool, input, ok, result }: ComparedCall): string {
  const mark = ok === null ? "..." : ok ? "->" : "failed:";
  return oneLine(`${tool} ${JSON.stringify(input)} ${mark} ${JSON.stringify(result)}`, MAX_CALL);
}

import type { TaskOutcome } from "./evaluate.ts";
import type { Verdict } from "./judge/judge.ts";

/** Dollars for a million tokens. */
export interface TokenPrices {
  input: number;
  cached: number;
  output: number;
}

/** Formats one outcome as a line, with the reason of a failure and what the model said. */
export function formatOutcome(outcome: TaskOutcome): string {
  const { task, seen, judgement, spent, seconds } = outcome;
  const { verdict, why } = judgement;
  const figures = `${spent.stepsCompleted} steps, ${seconds.toFixed(1)} s`;
  const line = `${verdict.padEnd(8)} ${task.id.padEnd(28)} ${figures}`;
  if (isSuccess(outcome)) return line;
  return [line, `         ${why.slice(0, 300)}`, `         ${seen.summary.slice(0, 300)}`].join(
    "\n",
  );
}

/** Formats the figures of each group and of all; without prices, the cost is in credits alone. */
export function formatReport(outcomes: readonly TaskOutcome[], prices: TokenPrices | null): string {
  const counts = ["tasks", "right", "wrong", "refused", "asked", "steps", "errors"];
  const tokens = ["tokens in", "cached", "out", "credits", ...(prices ? ["cost"] : [])];
  const columns = ["group", ...counts, ...tokens, "first s", "seconds"];
  const groups = [...Map.groupBy(outcomes, ({ group }) => group)];
  const lines = [
    columns,
    ...groups.map(([group, ofGroup]) => row(group, ofGroup, prices)),
    row("all", outcomes, prices),
  ];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => (line[at] ?? "").length)));
  const table = lines.map((line) =>
    line
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  "),
  );
  const successes = outcomes.filter(isSuccess).length;
  const share = ((100 * successes) / Math.max(outcomes.length, 1)).toFixed(1);
  return [...table, "", `Success: ${successes} of ${outcomes.length} tasks (${share} %)`].join(
    "\n",
  );
}

/** What an evaluation was made with. */
export interface Provenance {
  model: string;
  /** The version of the service, with the commit where one is known. */
  version: string;
  date: Date;
}

/**
 * Formats one row of a Markdown table for each model and version, under the head of the first: what to keep
 * in order to compare them. `stepTokens` is what every step sends beside the conversation.
 */
export function formatComparison(
  outcomes: readonly TaskOutcome[],
  { model, version, date }: Provenance,
  stepTokens: number,
): string {
  const groups = [...Map.groupBy(outcomes, ({ group }) => group)];
  const share = (of: readonly TaskOutcome[]) => `${of.filter(isSuccess).length}/${of.length}`;
  const total = (figure: (outcome: TaskOutcome) => number) =>
    String(outcomes.reduce((sum, outcome) => sum + figure(outcome), 0));
  const cells: [string, string][] = [
    ["model", model],
    ["version", version],
    ["date", date.toISOString().slice(0, 10)],
    ...groups.map(([group, of]): [string, string] => [group, share(of)]),
    ["all", share(outcomes)],
    ["steps", total(({ spent }) => spent.stepsCompleted)],
    ["errors", total(({ spent }) => spent.failedCalls)],
    ["tokens in", total(({ spent }) => spent.usage.inputTokens)],
    ["tokens out", total(({ spent }) => spent.usage.outputTokens)],
    ["tokens of instructions and tools", String(stepTokens)],
  ];
  const line = (texts: string[]) => `| ${texts.join(" | ")} |`;
  return [
    line(cells.map(([name]) => name)),
    line(cells.map(() => "---")),
    line(cells.map(([, cell]) => cell)),
  ].join("\n");
}

/** Returns whether a task was done as it wants. */
export function isSuccess({ judgement }: TaskOutcome): boolean {
  return judgement.verdict === "right";
}

function row(name: string, outcomes: readonly TaskOutcome[], prices: TokenPrices | null): string[] {
  const total = (figure: (outcome: TaskOutcome) => number) =>
    outcomes.reduce((sum, outcome) => sum + figure(outcome), 0);
  const count = (verdict: Verdict) =>
    total(({ judgement }) => (judgement.verdict === verdict ? 1 : 0));
  const input = total(({ spent }) => spent.usage.inputTokens);
  const cached = total(({ spent }) => spent.usage.cachedTokens);
  const output = total(({ spent }) => spent.usage.outputTokens);
  const figures = [
    outcomes.length,
    ...(["right", "wrong", "refused", "asked"] as const).map(count),
    total(({ spent }) => spent.stepsCompleted),
    total(({ spent }) => spent.failedCalls),
    input,
    cached,
    output,
    total(({ spent }) => spent.creditsUsed),
  ];
  const cost = prices === null ? [] : [dollars(prices, { input, cached, output })];
  const streamed = total(({ pace }) => pace.streamed);
  const first = total(({ pace }) => pace.firstPieceMs) / 1_000 / Math.max(streamed, 1);
  const times = [
    streamed === 0 ? "-" : first.toFixed(2),
    total(({ seconds }) => seconds).toFixed(1),
  ];
  return [name, ...figures.map(String), ...cost, ...times];
}

/** Returns the price of tokens; the cached ones are part of the input. */
function dollars(prices: TokenPrices, tokens: TokenPrices): string {
  const millionths =
    (tokens.input - tokens.cached) * prices.input +
    tokens.cached * prices.cached +
    tokens.output * prices.output;
  return `$${(millionths / 1_000_000).toFixed(4)}`;
}

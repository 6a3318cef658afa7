import type { Judgement, Observed, Verdict } from "../judge/judge.ts";
import { HALVES, type PlacedCase } from "./cases.ts";

/** A case with what came of it. */
export interface Outcome {
  of: PlacedCase;
  seen: Observed;
  judgement: Judgement;
}

const VERDICTS = ["right", "wrong", "refused", "asked"] as const satisfies Verdict[];

/** Formats the counts of each domain, each kind, each half, and all. */
export function formatReport(outcomes: readonly Outcome[]): string {
  const ofHalves = HALVES.map(
    (half): Group => [half, outcomes.filter(({ of }) => of.half === half)],
  );
  return [
    section(
      "domain",
      grouped(outcomes, ({ of }) => of.domain),
    ),
    section(
      "kind",
      grouped(outcomes, ({ of }) => of.kind),
    ),
    section("prompts that", [
      ["can be done", outcomes.filter(({ of }) => of.want.is === "done")],
      ["are impossible", outcomes.filter(({ of }) => of.want.is === "impossible")],
      ["are ambiguous", outcomes.filter(({ of }) => of.want.is === "ambiguous")],
    ]),
    section("half", [...ofHalves, ["both", outcomes]]),
  ].join("\n\n");
}

type Group = [name: string, outcomes: readonly Outcome[]];

function grouped(outcomes: readonly Outcome[], key: (outcome: Outcome) => string): Group[] {
  return [...Map.groupBy(outcomes, key)].toSorted(([a], [b]) => a.localeCompare(b));
}

function section(title: string, groups: readonly Group[]): string {
  const lines = groups.map(([name, ofGroup]) => {
    const counts = VERDICTS.map(
      (verdict) => ofGroup.filter(({ judgement }) => judgement.verdict === verdict).length,
    );
    return line(name, [ofGroup.length, ...counts], ofGroup.length);
  });
  const head = `${title.padEnd(16)}${["cases", ...VERDICTS].map((text) => text.padStart(9)).join("")}`;
  return [head, ...lines].join("\n");
}

function line(name: string, counts: readonly number[], all: number): string {
  const cells = counts.map((count) => String(count).padStart(9)).join("");
  const [, right = 0, wrong = 0] = counts;
  const share = (count: number): string => `${((100 * count) / Math.max(all, 1)).toFixed(1)} %`;
  return `${name.padEnd(16)}${cells}    ${share(right)} right, ${share(wrong)} wrong`;
}

/** Formats one case of the open half. */
export function formatOutcome({ of, seen, judgement }: Outcome): string {
  const told = [
    `${judgement.verdict.toUpperCase()} ${of.domain}/${of.id} (${of.kind})`,
    `  prompt: ${of.prompt}`,
    ...of.messages.map((message) => `  then: ${message}`),
    ...(judgement.why === "" ? [] : [`  why: ${judgement.why}`]),
    `  ${seen.status}: ${seen.summary.slice(0, 300)}`,
  ];
  return told.join("\n");
}

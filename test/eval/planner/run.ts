import { parseArgs } from "node:util";
import * as z from "zod";
import { createModel } from "../../../src/agent/models/registry.ts";
import { settingsOf } from "../../../src/env.ts";
import { describeIssue } from "../../../src/lib/zod-messages.ts";
import { CLOSED } from "./closed.ts";
import { checkSplit, HALVES, type Half, type PlacedCase, placeCases } from "./harness/cases.ts";
import { EvalExecution } from "./harness/execution.ts";
import { formatOutcome, formatReport, type Outcome } from "./harness/report.ts";
import { type SiteServer, startSites } from "./harness/server.ts";
import { judge } from "./judge/judge.ts";
import { OPEN } from "./open.ts";
import { SITES } from "./sites/all.ts";

interface Options {
  half: Half | null;
  domain: string | null;
  id: string | null;
  /** The verdicts whose cases are printed, of the open half alone. */
  show: readonly string[];
}

/** `npm run eval:planner`: counts how the planner does on prompts that it is not tuned for. */
async function main(): Promise<void> {
  z.config({ localeError: describeIssue });
  const options = readOptions();
  const sites = await startSites(SITES);
  const begun = performance.now();
  try {
    const outcomes: Outcome[] = [];
    for (const one of chosenCases(sites, options)) outcomes.push(await outcomeOf(one, sites));
    for (const outcome of outcomes) {
      const isShown =
        outcome.of.half === "open" && options.show.includes(outcome.judgement.verdict);
      if (isShown) console.log(`${formatOutcome(outcome)}\n`);
    }
    console.log(formatReport(outcomes));
    const seconds = (performance.now() - begun) / 1_000;
    console.log(`\n${outcomes.length} prompts in ${seconds.toFixed(1)} s`);
  } finally {
    await sites.close();
  }
}

async function outcomeOf(one: PlacedCase, sites: SiteServer): Promise<Outcome> {
  const place = { settings: settingsOf({}), bindings: {} };
  const model = createModel("builtin/planner", place, one.id);
  const seen = await new EvalExecution(one, model, sites).run();
  return { of: one, seen, judgement: judge(one, seen) };
}

function chosenCases(sites: SiteServer, { half, domain, id }: Options): PlacedCase[] {
  const all = [...placeCases("open", OPEN, sites.has), ...placeCases("closed", CLOSED, sites.has)];
  checkSplit(all);
  const chosen = all.filter(
    (one) =>
      (half === null || one.half === half) &&
      (domain === null || one.domain === domain) &&
      (id === null || one.id === id),
  );
  if (chosen.length === 0) throw new Error("No case matches the options.");
  return chosen;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      half: { type: "string" },
      domain: { type: "string" },
      id: { type: "string" },
      show: { type: "string", default: "wrong" },
    },
  });
  const half = HALVES.find((known) => known === values.half) ?? null;
  if (values.half !== undefined && half === null) {
    throw new Error(`--half is one of ${HALVES.join(", ")}.`);
  }
  const isNarrow = values.domain !== undefined || values.id !== undefined;
  if (isNarrow && half !== "open") {
    throw new Error("--domain and --id need --half open: the closed half is only counted.");
  }
  const show = values.show === "all" ? "right,wrong,refused,asked" : values.show;
  const { domain = null, id = null } = values;
  return { half, domain, id, show: show.split(",") };
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import * as z from "zod";
import metadata from "../../package.json" with { type: "json" };
import { createModel, modelFault } from "../../src/agent/models/registry.ts";
import { parseSettings, VARIABLES } from "../../src/env.ts";
import { describeIssue } from "../../src/lib/zod-messages.ts";
import { evaluate } from "./evaluate.ts";
import { formatComparison, formatOutcome, formatReport, type TokenPrices } from "./report.ts";
import { SCRIPTED, startScriptedServer } from "./scripted.ts";
import { partsOfRequest } from "./sizes.ts";
import { TASKS } from "./tasks/all.ts";

const USAGE = `Usage: npm run eval:model -- <provider/model> [--only <group or task>,...] [--prices <input>,<cached>,<output>]

  openai/<model>     needs OPENAI_API_KEY, or OPENAI_BASE_URL of a compatible server
  anthropic/<model>  needs ANTHROPIC_API_KEY
  builtin/demo    needs nothing
  ${SCRIPTED}           plays the solutions of the tasks, to try the evaluation itself

  --prices           dollars for a million tokens, as the provider lists them`;

interface Options {
  model: string;
  only: readonly string[];
  prices: TokenPrices | null;
}

/** `npm run eval:model`: counts how a model does 32 tasks on local sites, and what that costs. */
async function main(): Promise<void> {
  z.config({ localeError: describeIssue });
  const options = readOptions();
  if (options === null) {
    console.log(USAGE);
    return;
  }
  const scripted = options.model === SCRIPTED ? await startScriptedServer(all()) : null;
  try {
    const name = scripted ? `openai/${SCRIPTED}` : options.model;
    const settings = parseSettings({
      ...ownVariables(),
      ...(scripted && { OPENAI_BASE_URL: scripted.baseUrl }),
    });
    const place = { settings, bindings: {} };
    const fault = modelFault(name, place);
    if (fault !== null) throw new Error(`The model ${name} ${fault}.`);
    const outcomes = await evaluate({
      tasks: chosenTasks(options.only),
      model: (conversation) => createModel(name, place, conversation),
      modelTimeoutMs: settings.MODEL_TIMEOUT_SECONDS * 1_000,
      sleep: (ms) => sleep(ms),
      onOutcome: (outcome) => console.log(formatOutcome(outcome)),
    });
    const parts = partsOfRequest();
    const tokens = parts.reduce((sum, part) => sum + part.tokens, 0);
    const largest = parts.slice(0, 6).map((each) => `${each.part} ${each.tokens}`);
    const provenance = { model: name, version: versionOf(), date: new Date() };
    console.log(`
${name}

${formatReport(outcomes, options.prices)}
Sent in each step: about ${tokens} tokens of instructions and tools (${largest.join(", ")}, ...)

${formatComparison(outcomes, provenance, tokens)}`);
  } finally {
    await scripted?.close();
  }
}

/** Returns the version of the service, with the commit of the checkout if git knows one. */
function versionOf(): string {
  const { stdout } = spawnSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" });
  const commit = (stdout ?? "").trim();
  return commit === "" ? metadata.version : `${metadata.version}+${commit}`;
}

const all = () => Object.values(TASKS).flat();

/** Returns the service's variables in the environment. */
function ownVariables(): Record<string, string | undefined> {
  return Object.fromEntries(VARIABLES.map((name) => [name, process.env[name]]));
}

/** Returns the groups and tasks of these names, or all. Throws for an unknown name. */
function chosenTasks(only: readonly string[]): typeof TASKS {
  if (only.length === 0) return TASKS;
  const known = [...Object.keys(TASKS), ...all().map(({ id }) => id)];
  const unknown = only.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(
      `There is no group or task ${unknown}. Groups: ${Object.keys(TASKS).join(", ")}.`,
    );
  }
  const chosen = Object.entries(TASKS).map(([group, tasks]) => [
    group,
    tasks.filter(({ id }) => only.includes(group) || only.includes(id)),
  ]);
  return Object.fromEntries(chosen);
}

function readOptions(): Options | null {
  const { values, positionals } = parseArgs({
    options: { only: { type: "string" }, prices: { type: "string" } },
    allowPositionals: true,
  });
  const [model, ...others] = positionals;
  if (model === undefined || others.length > 0) return null;
  const only = values.only?.split(",") ?? [];
  return { model, only, prices: values.prices === undefined ? null : pricesOf(values.prices) };
}

function pricesOf(text: string): TokenPrices {
  const [input, cached, output, ...others] = text.split(",").map(Number);
  const prices = z.object({ input: z.number(), cached: z.number(), output: z.number() });
  const parsed = prices.safeParse({ input, cached, output });
  if (!parsed.success || others.length > 0) {
    throw new Error("--prices takes three numbers: input, cached input and output.");
  }
  return parsed.data;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

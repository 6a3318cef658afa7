import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startSite } from "../test/support/site/server.ts";
import type { DemoTask } from "./demo/agent.ts";
import { callbackTask } from "./demo/callback-task.ts";
import { caseTask } from "./demo/case-task.ts";
import { spreadsheetTask } from "./demo/spreadsheet-task.ts";
import { webhookTask } from "./demo/webhook-task.ts";
import {
  checkChosen,
  readEnvironmentFile,
  type Variables,
  variableOf,
} from "./local/environment.ts";
import { modelAdvice, modelLine } from "./local/model/banner.ts";
import type { FoundModel } from "./local/model/find.ts";
import { localServers } from "./local/model/servers.ts";
import { tryUnder } from "./local/model/trial.ts";
import { failWith, ROOT, UserError } from "./local/project.ts";
import { startService } from "./local/service.ts";

/** The tasks by their names. */
const TASKS: Partial<Record<string, DemoTask>> = {
  callback: callbackTask,
  spreadsheet: spreadsheetTask,
  webhook: webhookTask,
  case: caseTask,
};

/** `npm run demo`: shows one task on this machine; `-- --task` chooses which. */
async function main(): Promise<void> {
  const { name, task, model } = chosenTask();
  if (task === null) return console.log(USAGE);
  const begun = performance.now();
  console.log("Starting the service ...");
  const stateDir = await mkdtemp(join(tmpdir(), "prompthook-demo-"));
  const service = await startService({
    port: 0,
    stateDir,
    fresh: false,
    inspect: null,
    browser: false,
    search: await modelSearch(model),
    askForKeys: "never",
    progress: (line) => console.log(line),
  });
  console.log(`\nModel: ${modelLine(service.model)}`);
  const site = await startSite();
  try {
    await task.run({ url: service.runtime.url, apiKey: service.apiKey }, site.origin);
  } finally {
    await Promise.all([service.runtime.stop(), site.close()]);
    await rm(stateDir, { recursive: true, force: true });
  }
  console.log(farewell(name, (performance.now() - begun) / 1_000, service.model));
}

/** Of the environment, the demo knows what models need: it sends no e-mail and writes to no sheet. */
const MODEL_VARIABLE =
  /^(?:DEFAULT_MODEL|OLLAMA_HOST|MODEL_\w+|(?:ANTHROPIC|OPENAI|GEMINI)_(?:API_KEY|BASE_URL))$/;

async function modelSearch(chosen: string | null) {
  const ofModels = (variables: Variables) =>
    Object.fromEntries(Object.entries(variables).filter(([name]) => MODEL_VARIABLE.test(name)));
  const project = ofModels(await readEnvironmentFile(join(ROOT, ".env")));
  const environment = { project, shell: ofModels(process.env) };
  const servers = localServers(variableOf("OLLAMA_HOST", environment));
  return { environment, chosen, servers, tryModel: tryUnder };
}

const USAGE = `Usage: npm run demo -- [--task <task>] [--model <model>]

Starts the service for one task, on this machine. The model is found as npm start does, but keys of your
shell are never used: --model builtin/demo uses no other. The tasks:

${tasksBut(null)}`;

/** Returns the chosen task, or null for help. Throws `UserError` for an unknown one. */
function chosenTask(): { name: string; task: DemoTask | null; model: string | null } {
  const names = Object.keys(TASKS).join(", ");
  let values: { task: string; model?: string | undefined; help: boolean };
  try {
    ({ values } = parseArgs({
      options: {
        task: { type: "string", default: "callback" },
        model: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`${reason.replace(/\.?$/, ".")} Use --task with one of: ${names}.`);
  }
  const { task: name, help } = values;
  const model = checkChosen(values.model);
  if (help) return { name, task: null, model };
  const task = Object.hasOwn(TASKS, name) ? TASKS[name] : undefined;
  if (task === undefined) throw new UserError(`Unknown task "${name}". The tasks are: ${names}.`);
  return { name, task, model };
}

/** Lists the other tasks, one per line. */
function tasksBut(done: string | null): string {
  return Object.entries(TASKS)
    .filter(([name]) => name !== done)
    .map(([name, task]) => `  --task ${name.padEnd(13)}${task?.shows}`)
    .join("\n");
}

/** Returns what to try after the task of this name. */
function farewell(done: string, seconds: number, model: FoundModel): string {
  return `
Done in ${seconds.toFixed(1)} s. Try npm run demo -- with

${tasksBut(done)}

or the service itself:

  npm start            at http://127.0.0.1:8787, with an API key of your own, its dashboard
                       at /dashboard and the API reference at /docs
${modelAdvice(model, "npm start")}`;
}

main().then(() => process.exit(0), failWith);

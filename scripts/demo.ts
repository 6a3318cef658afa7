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
import { failWith, UserError } from "./local/project.ts";
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
  const { name, task } = chosenTask();
  if (task === null) return console.log(USAGE);
  const begun = performance.now();
  console.log("Starting the service ...");
  const stateDir = await mkdtemp(join(tmpdir(), "prompthook-demo-"));
  const service = await startService({
    port: 0,
    stateDir,
    fresh: false,
    browser: false,
    environment: {},
    progress: () => undefined,
  });
  const site = await startSite();
  try {
    await task.run(service, site.origin);
  } finally {
    await Promise.all([service.runtime.stop(), site.close()]);
    await rm(stateDir, { recursive: true, force: true });
  }
  console.log(farewell(name, (performance.now() - begun) / 1_000));
}

const USAGE = `Usage: npm run demo -- [--task <task>]

Starts the service for one task, on this machine alone. The tasks:

${tasksBut(null)}`;

/** Returns the chosen task, or null for help. Throws `UserError` for an unknown one. */
function chosenTask(): { name: string; task: DemoTask | null } {
  const names = Object.keys(TASKS).join(", ");
  let values: { task: string; help: boolean };
  try {
    ({ values } = parseArgs({
      options: {
        task: { type: "string", default: "callback" },
        help: { type: "boolean", short: "h", default: false },
      },
    }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`${reason.replace(/\.?$/, ".")} Use --task with one of: ${names}.`);
  }
  const { task: name, help } = values;
  if (help) return { name, task: null };
  const task = Object.hasOwn(TASKS, name) ? TASKS[name] : undefined;
  if (task === undefined) throw new UserError(`Unknown task "${name}". The tasks are: ${names}.`);
  return { name, task };
}

/** Lists the other tasks, one per line. */
function tasksBut(done: string | null): string {
  return Object.entries(TASKS)
    .filter(([name]) => name !== done)
    .map(([name, task]) => `  --task ${name.padEnd(13)}${task?.shows}`)
    .join("\n");
}

/** Returns what to try after the task of this name. */
function farewell(done: string, seconds: number): string {
  return `
Done in ${seconds.toFixed(1)} s. Try npm run demo -- with

${tasksBut(done)}

or the service itself:

  npm start            at http://127.0.0.1:8787, with an API key of your own, its dashboard
                       at /dashboard and the API reference at /docs
  a real model         OPENAI_API_KEY=... DEFAULT_MODEL=openai/<model> npm start
                       (any OpenAI-compatible server: add OPENAI_BASE_URL=...)
`;
}

main().then(() => process.exit(0), failWith);

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startSite } from "../test/support/site/server.ts";
import { type DemoTask, TASKS } from "./demo/tasks.ts";
import { startService } from "./local/service.ts";
import { failWith, Trouble } from "./local/trouble.ts";

/** `npm run demo`: one agent at work, with nothing but this machine. `-- --task` chooses at what. */
async function main(): Promise<void> {
  const task = chosenTask();
  const begun = performance.now();
  console.log("Starting the service ...");
  const stateDir = await mkdtemp(join(tmpdir(), "prompthook-demo-"));
  const service = await startService({
    port: 0,
    stateDir,
    fresh: false,
    browser: false,
    environment: {},
  });
  const site = await startSite();
  try {
    await task.run(service, site.origin);
  } finally {
    await Promise.all([service.server.stop(), site.close()]);
    await rm(stateDir, { recursive: true, force: true });
  }
  console.log(farewell((performance.now() - begun) / 1_000));
}

/** Throws `Trouble` for arguments that name no task. */
function chosenTask(): DemoTask {
  const names = Object.keys(TASKS).join(", ");
  let name: string;
  try {
    ({ task: name } = parseArgs({
      options: { task: { type: "string", default: "callback" } },
    }).values);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Trouble(`${reason.replace(/\.?$/, ".")} Give --task and one of: ${names}.`);
  }
  const task = Object.hasOwn(TASKS, name) ? TASKS[name] : undefined;
  if (task === undefined) throw new Trouble(`There is no task "${name}"; there are: ${names}.`);
  return task;
}

function farewell(seconds: number): string {
  return `
All of it took ${seconds.toFixed(1)} s. To go on:

  npm run demo -- --task spreadsheet
                             three pages, cleaned in code, as a workbook and an e-mail
  npm run demo -- --task webhook
                             a signed event from GitHub, its duplicate, and a forgery
  npm start                  the service at http://127.0.0.1:8787, with an API key of your own
  <its address>/dashboard    its dashboard; the API reference is at /docs
  a real model               OPENAI_API_KEY=... DEFAULT_MODEL=openai/<model> npm start
                             (any OpenAI-compatible server: add OPENAI_BASE_URL=...)
`;
}

main().then(() => process.exit(0), failWith);

import { enableCompileCache } from "node:module";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ask, canAsk } from "./local/ask.ts";
import {
  checkChosen,
  type Environment,
  readEnvironmentFile,
  variableOf,
} from "./local/environment.ts";
import { failWith, ROOT, UserError } from "./local/project.ts";
import type { Runtime } from "./local/runtime.ts";
import type { LocalService } from "./local/service.ts";

/** `npm start` and `npm run dev`: the whole service on this machine, until it is interrupted. */
async function main(): Promise<void> {
  const environment = {
    project: await readEnvironmentFile(join(ROOT, ".env")),
    shell: process.env,
  };
  const { port, fresh, browser, watch, model: chosen, inspect, help } = readOptions(environment);
  if (help) return console.log(USAGE);
  console.log("Starting Prompthook ...");
  // Every state survives a crash, so there is nothing to wait for.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(0));
  const stateDir = resolve(ROOT, variableOf("STATE_DIR", environment) ?? ".wrangler/state");
  // Loaded after the first line is printed: the modules behind it take most of a second.
  enableCompileCache(join(ROOT, "node_modules/.cache/prompthook-start"));
  const { startService } = await import("./local/service.ts");
  const { localServers } = await import("./local/model/servers.ts");
  const { tryUnder } = await import("./local/model/trial.ts");
  const service = await startService({
    port,
    stateDir,
    fresh,
    browser,
    inspect,
    search: {
      environment,
      chosen,
      servers: localServers(variableOf("OLLAMA_HOST", environment)),
      tryModel: tryUnder,
    },
    askForKeys: canAsk() ? ask : null,
    progress: (line) => console.log(line),
  });
  // Before it says that it is ready: a change that follows must not be missed.
  if (watch) await reloadOnChange(service.runtime, join(stateDir, "prompthook.build"));
  const { modelAdvice, modelLine } = await import("./local/model/banner.ts");
  const { model } = service;
  console.log(welcome(service, modelLine(model), modelAdvice(model, "npm start")));
}

async function reloadOnChange(runtime: Runtime, directory: string): Promise<void> {
  const { watchWorker } = await import("./local/build.ts");
  await watchWorker(directory, async (worker, errors) => {
    for (const error of errors) console.error(error);
    if (errors.length > 0) return;
    await runtime.reload(worker);
    console.log("Reloaded.");
  });
}

const USAGE = `Usage: npm start -- [--fresh] [--browser] [--watch] [--model <model>] [--inspect <port>]

  --fresh     empties the state first
  --browser   lets agents use a real browser
  --watch     reloads the service when a source changes (npm run dev)
  --model     tries this model first: provider/name, or a provider alone (anthropic, openai, google,
              ollama, lmstudio), whose key may then lie in your shell
  --inspect   lets Chrome DevTools profile the Worker's time and memory at this port

PORT (8787) and STATE_DIR (.wrangler/state) set where it listens and keeps its state;
docs/configuration.md lists the other variables. All are also read from .env.`;

interface Options {
  port: number;
  fresh: boolean;
  browser: boolean;
  watch: boolean;
  model: string | null;
  inspect: number | null;
  help: boolean;
}

function readOptions(environment: Environment): Options {
  const given = variableOf("PORT", environment) ?? "8787";
  const port = readPort("PORT", given);
  const useKeys = variableOf("USE_SHELL_KEYS", environment) ?? "true";
  if (!["true", "false"].includes(useKeys)) {
    throw new UserError(`USE_SHELL_KEYS is ${useKeys}. It must be true or false.`);
  }
  try {
    const flag = { type: "boolean", default: false } as const;
    const help = { ...flag, short: "h" } as const;
    const text = { type: "string" } as const;
    const options = { fresh: flag, browser: flag, watch: flag, model: text, inspect: text, help };
    const { values } = parseArgs({ options });
    const inspect = values.inspect === undefined ? null : readPort("--inspect", values.inspect);
    return { port, ...values, model: checkChosen(values.model), inspect };
  } catch (error) {
    if (error instanceof UserError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`${reason.split(". ")[0]}. npm start -- --help lists the options.`);
  }
}

function readPort(name: string, given: string): number {
  const port = Number(given);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new UserError(`${name} is ${given}. It must be a number from 0 to 65535.`);
}

/** The first task needs no network: its data is in the prompt. */
function welcome(
  { runtime: { url }, apiKey }: LocalService,
  model: string,
  advice: string,
): string {
  return `
Prompthook is ready.

  Base URL  ${url}
  API key   ${apiKey}   (account "local")
  Dashboard ${url}/dashboard   (sign in with the key)
  Reference ${url}/docs
  Model     ${model}
${advice}
Try it:

  export PROMPTHOOK_URL=${url} PROMPTHOOK_API_KEY=${apiKey}
  npx prompthook trigger --watch "List rows from the data sorted by total descending, save as orders.xlsx:

customer,total
Acme,120.50
Birch,80.00
Cedar,310.00"

Press Ctrl-C to stop. The state is kept.
`;
}

main().catch(failWith);

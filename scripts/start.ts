import { enableCompileCache } from "node:module";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { failWith, ROOT, UserError } from "./local/project.ts";
import type { Runtime } from "./local/runtime.ts";

/** `npm start` and `npm run dev`: the whole service on this machine, until it is interrupted. */
async function main(): Promise<void> {
  const { port, fresh, browser, watch, help } = readOptions();
  if (help) return console.log(USAGE);
  console.log("Starting Prompthook ...");
  // Every state survives a crash, so there is nothing to wait for.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(0));
  const stateDir = resolve(ROOT, process.env.STATE_DIR || ".wrangler/state");
  // Loaded after the first line is printed: the modules behind it take most of a second.
  enableCompileCache(join(ROOT, "node_modules/.cache/prompthook-start"));
  const { startService } = await import("./local/service.ts");
  const { runtime, apiKey } = await startService({
    port,
    stateDir,
    fresh,
    browser,
    environment: process.env,
    progress: (line) => console.log(line),
  });
  // Before it says that it is ready: a change that follows must not be missed.
  if (watch) await reloadOnChange(runtime, join(stateDir, "prompthook.build"));
  console.log(welcome(runtime.url, apiKey));
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

const USAGE = `Usage: npm start -- [--fresh] [--browser] [--watch]

  --fresh     empties the state first
  --browser   lets agents use a real browser
  --watch     reloads the service when a source changes (npm run dev)

PORT (8787) and STATE_DIR (.wrangler/state) set where it listens and keeps its state;
docs/configuration.md lists the other variables.`;

interface Options {
  port: number;
  fresh: boolean;
  browser: boolean;
  watch: boolean;
  help: boolean;
}

function readOptions(): Options {
  const port = Number(process.env.PORT || 8787);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new UserError(`PORT is ${process.env.PORT}. It must be a number from 0 to 65535.`);
  }
  try {
    const flag = { type: "boolean", default: false } as const;
    const help = { ...flag, short: "h" } as const;
    const { values } = parseArgs({ options: { fresh: flag, browser: flag, watch: flag, help } });
    return { port, ...values };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`${reason.split(". ")[0]}. npm start -- --help lists the options.`);
  }
}

/** The first task needs no network: its data is in the prompt. */
function welcome(url: string, apiKey: string): string {
  return `
Prompthook is ready.

  Base URL  ${url}
  API key   ${apiKey}   (account "local")
  Dashboard ${url}/dashboard   (sign in with the key)
  Reference ${url}/docs

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

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "./local/project.ts";
import { startService } from "./local/service.ts";
import { failWith, Trouble } from "./local/trouble.ts";

/** `npm start`: the whole service on this machine, until it is interrupted. */
async function main(): Promise<void> {
  const { port, fresh, browser, help } = readOptions();
  if (help) return console.log(USAGE);
  const { server, apiKey } = await startService({
    port,
    stateDir: resolve(ROOT, process.env.STATE_DIR || ".wrangler/state"),
    fresh,
    browser,
    environment: process.env,
  });
  let stopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      stopping = true;
      void server.stop();
    });
  }
  console.log(welcome(server.url, apiKey));
  await server.ended;
  if (!stopping) throw new Trouble("The service ended by itself; its messages above say why.");
  process.exit(0);
}

const USAGE = `Usage: npm start -- [--fresh] [--browser]

  --fresh     empties the state first
  --browser   lets agents use a real browser

PORT (8787) and STATE_DIR (.wrangler/state) say where it listens and keeps its state;
docs/configuration.md has the other variables.`;

function readOptions(): { port: number; fresh: boolean; browser: boolean; help: boolean } {
  const port = Number(process.env.PORT || 8787);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Trouble(`PORT is ${process.env.PORT}; it must be a number from 0 to 65535.`);
  }
  try {
    const flag = { type: "boolean", default: false } as const;
    const help = { ...flag, short: "h" } as const;
    const { values } = parseArgs({ options: { fresh: flag, browser: flag, help } });
    return { port, ...values };
  } catch {
    throw new Trouble(
      "The options are --fresh, which empties the state, and --browser, which lets agents use a real browser: npm start -- --browser",
    );
  }
}

/** The first task is one that needs no network: its data stands in the prompt. */
function welcome(url: string, apiKey: string): string {
  return `
Prompthook is ready.

  Base URL  ${url}
  API key   ${apiKey}   (account "local")
  Dashboard ${url}/dashboard   (sign in with the key)
  Reference ${url}/docs

Try it:

  export PROMPTHOOK_URL=${url} PROMPTHOOK_API_KEY=${apiKey}
  npx prompthook trigger --watch "Sort this data by total descending and write it to orders.xlsx:

customer,total
Acme,120.50
Birch,80.00
Cedar,310.00"

Ctrl-C ends it; its state is kept.
`;
}

main().catch(failWith);

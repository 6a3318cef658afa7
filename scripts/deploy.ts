import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type DeployOptions, deploy } from "./deploy/deploy.ts";
import { printStep } from "./deploy/progress.ts";
import { wranglerOn } from "./deploy/wrangler.ts";
import { failWith, ROOT, UserError } from "./local/project.ts";
import { originOf } from "./smoke/options.ts";

/** `npm run deploy`: takes a signed-in operator to a working service. */
async function main(): Promise<void> {
  const options = readOptions();
  if (options === null) return console.log(USAGE);
  await deploy(options, {
    wrangler: wranglerOn(options.config),
    report: printStep,
    environment: process.env,
  });
}

const USAGE = `Usage: npm run deploy -- [--dry-run] [--records <number>] [--url <its address>] [--config <file>]

  --dry-run         reports what it would do, and changes nothing
  --records <n>     keeps execution rows in n databases of their own; more can be added later
  --url <address>   the service's address, for a route that is not a custom domain
  --config <file>   another configuration, for a second deployment

docs/deploying.md describes each step.`;

/** Returns null when help is asked for. */
function readOptions(): DeployOptions | null {
  const options = {
    "dry-run": { type: "boolean", default: false },
    records: { type: "string" },
    url: { type: "string" },
    config: { type: "string", default: "wrangler.toml" },
    help: { type: "boolean", short: "h", default: false },
  } as const;
  let values: ReturnType<typeof parseArgs<{ options: typeof options }>>["values"];
  try {
    ({ values } = parseArgs({ options }));
  } catch (error) {
    throw new UserError(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
  if (values.help) return null;
  return {
    config: resolve(ROOT, values.config),
    url: values.url === undefined ? null : originOf(values.url),
    records: values.records === undefined ? null : numberOf(values.records),
    dryRun: values["dry-run"],
  };
}

function numberOf(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new UserError("--records takes a number from 1 to 999.");
}

main().then(() => process.exit(0), failWith);

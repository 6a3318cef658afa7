import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { REGIONS } from "../src/lib/place.ts";
import { type DeployOptions, deploy } from "./deploy/deploy.ts";
import { resolvesBy } from "./deploy/domains.ts";
import { printStep } from "./deploy/progress.ts";
import { regionNamed } from "./deploy/region.ts";
import { wranglerOn } from "./deploy/wrangler.ts";
import { failWith, ROOT, UserError } from "./local/project.ts";
import { originOf } from "./smoke/options.ts";

/** `npm run deploy`: takes a signed-in operator to a working service. */
async function main(): Promise<void> {
  const options = readOptions();
  if (options === null) return console.log(USAGE);
  const { env: environment } = process;
  const resolves = resolvesBy();
  await deploy(options, { wranglerOn, report: printStep, ask, resolves, environment });
}

const USAGE = `Usage: npm run deploy -- [options]

  --dry-run            reports what it would do, and changes nothing
  --name <name>        another name for the Worker, its queues and databases: a further deployment
  --domain <name>      a custom domain; its zone is in the same Cloudflare account
  --take-over          takes domains from the DNS records or the Workers that have them
  --subdomain <name>   registers <name>.workers.dev if the account has no such subdomain
  --region <region>    where accounts are created: ${REGIONS.join(", ")}
  --records <n>        keeps execution rows in n databases of their own; more can be added later
  --now                has busy objects change to the new code at once
  --url <address>      the service's address, for a route that is not a custom domain
  --config <file>      another configuration than wrangler.toml

docs/deploying.md describes each step.`;

/** Asks on the terminal, if there is one. */
async function ask(question: string): Promise<string | null> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return null;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

/** Returns null when help is asked for. */
function readOptions(): DeployOptions | null {
  const options = {
    "dry-run": { type: "boolean", default: false },
    name: { type: "string" },
    domain: { type: "string" },
    "take-over": { type: "boolean", default: false },
    subdomain: { type: "string" },
    region: { type: "string" },
    records: { type: "string" },
    now: { type: "boolean", default: false },
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
    name: values.name ?? null,
    domain: values.domain ?? null,
    takeOver: values["take-over"],
    subdomain: values.subdomain ?? null,
    region: values.region === undefined ? null : regionNamed(values.region),
    records: values.records === undefined ? null : numberOf(values.records),
    now: values.now,
    dryRun: values["dry-run"],
  };
}

function numberOf(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new UserError("--records takes a number from 1 to 999.");
}

main().then(() => process.exit(0), failWith);

import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { restoreAccount } from "./backup/accounts.ts";
import { readOptions } from "./backup/options.ts";
import { restoreState } from "./backup/state.ts";
import { failWith, ROOT, UserError } from "./local/project.ts";

const USAGE = `Usage: npm run restore -- <folder> [--url <url> [--account <id>]...]

  <folder>         the backup
  --url <url>      restores accounts into a service that does not have them; without it, the state of
                   this machine
  --account <id>   restores these accounts only

Set ADMIN_TOKEN to the service's token. STATE_DIR (.wrangler/state) is the state of this machine.`;

const FILE = /^(acc_\w+)\.jsonl$/;

/** `npm run restore`: brings back what `npm run backup` has copied. */
async function main(): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) return console.log(USAGE);
  const { service, accounts, ...options } = readOptions(args, process.env, USAGE);
  const folder = resolve(options.folder);
  if (service === null) {
    const directory = resolve(ROOT, process.env.STATE_DIR || ".wrangler/state");
    await restoreState(folder, directory);
    return console.log(`The state is in ${directory}. npm start continues it.`);
  }
  const names = await readdir(folder).catch(() => []);
  const there = names.flatMap((name) => FILE.exec(name)?.[1] ?? []);
  if (there.length === 0) throw new UserError(`${folder} has no backup of an account.`);
  const missing = accounts.find((accountId) => !there.includes(accountId));
  if (missing !== undefined) throw new UserError(`${folder} has no ${missing}.jsonl.`);
  for (const accountId of accounts.length > 0 ? accounts : there) {
    await restoreAccount(service, join(folder, `${accountId}.jsonl`));
    console.log(`  ${accountId}`);
  }
}

main().catch(failWith);

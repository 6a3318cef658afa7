import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { counted } from "../src/lib/text.ts";
import { accountIds, backUpAccount } from "./backup/accounts.ts";
import { databaseExport } from "./backup/deployment.ts";
import { readOptions } from "./backup/options.ts";
import { copyState } from "./backup/state.ts";
import { wranglerOn } from "./deploy/wrangler.ts";
import { makePrivateDirectory } from "./local/private-file.ts";
import { failWith, ROOT, UserError } from "./local/project.ts";

const USAGE = `Usage: npm run backup -- <folder> [--url <url> [--account <id>]... [--name <name>] [--config <file>]
                                            [--no-databases]]

  <folder>         where the backup goes; it must not exist
  --url <url>      backs up a service by its API; without it, the state of this machine
  --account <id>   backs up these accounts only
  --name <name>    the deployment whose databases are exported, as in npm run deploy
  --config <file>  another configuration than wrangler.toml, as in npm run deploy
  --no-databases   leaves the databases' export out

Set ADMIN_TOKEN to the service's token. STATE_DIR (.wrangler/state) is the state of this machine.`;

/** `npm run backup`: copies the state of this machine, or the accounts of a service. */
async function main(): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) return console.log(USAGE);
  const { service, ...options } = readOptions(args, process.env, USAGE);
  const folder = resolve(options.folder);
  if (existsSync(folder)) throw new UserError(`${folder} exists. Name a folder that does not.`);
  if (service === null) {
    await copyState(resolve(ROOT, process.env.STATE_DIR || ".wrangler/state"), folder);
    await makePrivateDirectory(folder);
    return console.log(`The state is copied to ${folder}. It includes the keys: keep it private.`);
  }
  // A wrong name, or a sign-in that has ended, is reported before anything is copied.
  const exporting = options.databases
    ? await databaseExport(wranglerOn(options.config), options, process.env)
    : null;
  await makePrivateDirectory(folder);
  const accounts = options.accounts.length > 0 ? options.accounts : await accountIds(service);
  for (const accountId of accounts) {
    await backUpAccount(service, accountId, join(folder, `${accountId}.jsonl`));
    console.log(`  ${accountId}`);
  }
  for (const file of (await exporting?.(folder)) ?? []) console.log(`  ${file}`);
  const copied = counted(accounts.length, "account");
  console.log(`Copied to ${folder}: ${copied}. Keep the deployment's keys too.`);
}

main().catch(failWith);

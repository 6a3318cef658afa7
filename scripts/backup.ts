import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { accountIds, backUpAccount } from "./backup/accounts.ts";
import { exportDatabases } from "./backup/deployment.ts";
import { readOptions } from "./backup/options.ts";
import { copyState } from "./backup/state.ts";
import { wranglerOn } from "./deploy/wrangler.ts";
import { makePrivateDirectory } from "./local/private-file.ts";
import { CONFIG, failWith, ROOT, UserError } from "./local/project.ts";

const USAGE = `Usage: npm run backup -- <folder> [--url <url> [--account <id>]... [--name <name>] [--no-databases]]

  <folder>         where the backup goes; it must not exist
  --url <url>      backs up a service by its API; without it, the state of this machine
  --account <id>   backs up these accounts only
  --name <name>    the deployment whose databases are exported, as in npm run deploy
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
  await makePrivateDirectory(folder);
  const accounts = options.accounts.length > 0 ? options.accounts : await accountIds(service);
  for (const accountId of accounts) {
    await backUpAccount(service, accountId, join(folder, `${accountId}.jsonl`));
    console.log(`  ${accountId}`);
  }
  if (options.databases) {
    const files = await exportDatabases(wranglerOn(CONFIG), folder, {
      name: options.name,
      environment: process.env,
    });
    for (const file of files) console.log(`  ${file}`);
  }
  console.log(
    `${accounts.length} accounts are copied to ${folder}. Keep the deployment's keys too.`,
  );
}

main().catch(failWith);

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ROOT, UserError } from "../local/project.ts";
import { originOf } from "../smoke/options.ts";
import type { Service } from "./admin.ts";

export interface Options {
  /** The folder of the backup. */
  folder: string;
  /** The service; null for the state of this machine. */
  service: Service | null;
  /** The accounts; empty for all. */
  accounts: string[];
  /** The name of the deployment whose databases are exported, where it is not the configuration's. */
  name: string | null;
  /** The path of that configuration. */
  config: string;
  /** Whether the databases of the deployment are exported as well. */
  databases: boolean;
}

/** Reads the command line of a backup or a restore. Throws `UserError` for an invalid one. */
export function readOptions(
  args: string[],
  { ADMIN_TOKEN }: NodeJS.ProcessEnv,
  usage: string,
): Options {
  const { values, positionals } = parse(args, usage);
  const [folder, ...rest] = positionals;
  if (folder === undefined || rest.length > 0) throw new UserError(usage);
  const { url, account: accounts, name = null, "no-databases": without } = values;
  const config = resolve(ROOT, values.config);
  if (url === undefined) {
    if (accounts.length > 0) throw new UserError("--account needs --url, the service's address.");
    return { folder, service: null, accounts, name, config, databases: false };
  }
  if (!ADMIN_TOKEN) throw new UserError("Set ADMIN_TOKEN to the service's token for operators.");
  const service = { url: originOf(url), adminToken: ADMIN_TOKEN };
  return { folder, service, accounts, name, config, databases: !without };
}

function parse(args: string[], usage: string) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        url: { type: "string" },
        account: { type: "string", multiple: true, default: [] },
        name: { type: "string" },
        config: { type: "string", default: "wrangler.toml" },
        "no-databases": { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new UserError(`${error instanceof Error ? error.message : error}\n${usage}`);
  }
}

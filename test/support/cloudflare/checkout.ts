import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "../../../scripts/local/project.ts";
import { BARE } from "../processes.ts";
import type { Cloudflare } from "./cloudflare.ts";

interface DeployRun {
  /** The Worker's name, with which those of its databases and queues begin; "prompthook" if absent. */
  name?: string;
  /** Whether its names are left to the configuration, as a build leaves them. */
  asConfigured?: boolean;
  args?: string[];
  environment?: Record<string, string>;
  /** Told the process group that it runs in. */
  started?: (group: number) => void;
}

/** An operator's checkout: the code of this one, with a wrangler.toml of its own. */
export type Checkout = Awaited<ReturnType<typeof newCheckout>>;

/**
 * Makes a checkout whose operator is signed in to `cloudflare`, with these variables. Callbacks may go to this
 * machine, where the tests receive them.
 */
export async function newCheckout(cloudflare: Cloudflare, variables: Record<string, string> = {}) {
  const directory = await mkdtemp(join(tmpdir(), "prompthook-checkout-"));
  const config = join(directory, "wrangler.toml");
  await copyFile(join(ROOT, "wrangler.toml"), config);
  const text = await readFile(config, "utf8");
  const here = relative(directory, ROOT);
  const given = Object.entries({ ALLOW_LOOPBACK: "true", ...variables }).map(
    ([name, value]) => `${name} = ${JSON.stringify(value)}`,
  );
  await writeFile(
    config,
    text
      .replace("[vars]", ["[vars]", ...given].join("\n"))
      // Maps are five times as large as the code, and nothing here reads them.
      .replace("upload_source_maps = true", "upload_source_maps = false")
      .replace('main = "src/', `main = "${here}/src/`)
      .replaceAll('= "./src/', `= "${here}/src/`)
      .replaceAll('= "zod/', `= "${here}/node_modules/zod/`)
      .replace('directory = "build/', `directory = "${here}/build/`)
      .replaceAll('migrations_dir = "', `migrations_dir = "${here}/`),
  );
  /** Runs a program of the checkout with nothing of this shell but its programs. */
  async function run(
    args: string[],
    environment: Record<string, string> = {},
    started?: (group: number) => void,
  ) {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      detached: true,
      env: {
        ...BARE,
        HOME: directory,
        TMPDIR: directory,
        ...cloudflare.environment,
        ...environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    if (child.pid !== undefined) started?.(child.pid);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    await once(child, "close");
    return { code: child.exitCode, output };
  }
  return {
    directory,
    config,
    /** Runs `npm run deploy` with these options. */
    deploy: async ({ name = "prompthook", asConfigured, args = [], ...rest }: DeployRun = {}) => {
      const url = await cloudflare.urlOf(name);
      const named = asConfigured ? [] : ["--name", name];
      const { environment, started } = rest;
      const options = ["--config", config, ...named, "--url", url, ...args];
      return run(["scripts/deploy.ts", ...options], environment, started);
    },
    /** Runs `npx wrangler` with these arguments. */
    wrangler: (...args: string[]) =>
      run([fileURLToPath(import.meta.resolve("wrangler")), ...args, "--config", config], {
        // Wrangler would look for the account, and keep it among this checkout's modules.
        CLOUDFLARE_ACCOUNT_ID: cloudflare.account.id,
      }),
    /** Runs `npm run backup` of the service that is deployed as "prompthook". */
    backup: async (folder: string, ADMIN_TOKEN: string) => {
      const url = await cloudflare.urlOf("prompthook");
      return run(["scripts/backup.ts", folder, "--url", url], { ADMIN_TOKEN });
    },
    close: () => rm(directory, { recursive: true, force: true }),
  };
}

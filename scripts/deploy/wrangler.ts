import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { ROOT, UserError } from "../local/project.ts";

/** How a call of wrangler ended. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Calls wrangler, with further variables where they are given. */
export type Wrangler = (
  args: readonly string[],
  variables?: Record<string, string>,
) => Promise<Outcome>;

/** Wrangler is 20 MB of code that a deployment loads a dozen times; this keeps what Node compiled of it. */
const NODE_COMPILE_CACHE = join(ROOT, "node_modules/.cache/node");

/** Returns the checkout's own wrangler on a configuration. It cannot ask questions. */
export function wranglerOn(config: string): Wrangler {
  const program = fileURLToPath(import.meta.resolve("wrangler"));
  const flags = [`--config=${config}`];
  return async (args, variables = {}) => {
    const child = spawn(process.execPath, ["--no-warnings", program, ...args, ...flags], {
      cwd: ROOT,
      env: { ...process.env, WRANGLER_HIDE_BANNER: "true", NODE_COMPILE_CACHE, ...variables },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const { promise: ended, resolve, reject } = Promise.withResolvers<number | null>();
    child.once("error", reject).once("close", resolve);
    const [stdout, stderr, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      ended,
    ]);
    return { code, stdout, stderr };
  };
}

/** A wrangler that works in one Cloudflare account, however many the user has. */
export function inAccount(wrangler: Wrangler, accountId: string): Wrangler {
  return (args, variables = {}) =>
    wrangler(args, { ...variables, CLOUDFLARE_ACCOUNT_ID: accountId });
}

/** What wrangler prints. Throws `UserError` with its own words when it fails. */
export async function printed(
  wrangler: Wrangler,
  args: readonly string[],
  variables?: Record<string, string>,
): Promise<string> {
  const outcome = await wrangler(args, variables);
  if (outcome.code === 0) return outcome.stdout;
  throw new UserError(failure(args, outcome));
}

/** What to do, by Cloudflare's codes. */
const ADVICE = [
  {
    pattern: /\[code: (?:7403|9109|10000|10001)\]/,
    text: "this sign-in lacks a permission. Run npx wrangler login again, or give the API token Edit on D1, Queues and Workers Scripts",
  },
  {
    pattern: /\[code: 100328\]/,
    text: "the free plan takes no limit of computing time. Remove the block [limits] from wrangler.toml, and run this again",
  },
];

/** What to do about a failed call, and what wrangler said. */
export function failure(args: readonly string[], { stdout, stderr }: Outcome): string {
  const said = stripVTControlCharacters(stderr.trim() === "" ? stdout : stderr).trim();
  const head = `wrangler ${args.join(" ")} failed`;
  const advice = ADVICE.find(({ pattern }) => pattern.test(said))?.text;
  return `${head}${advice === undefined ? "" : `: ${advice}`}.\n\n${said}`;
}

import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { ROOT, UserError } from "../local/project.ts";
import { adviceFor } from "./refusals.ts";

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

/** A failed call of wrangler, with the codes of Cloudflare's refusals in it. */
export class WranglerError extends UserError {
  override name = "WranglerError";
  readonly codes: readonly number[];

  constructor(args: readonly string[], outcome: Outcome) {
    const said = saidIn(outcome);
    const codes = Array.from(said.matchAll(CODE), ([, code]) => Number(code));
    const advice = adviceFor(codes);
    const head = `wrangler ${args.join(" ")} failed${advice === undefined ? "" : `: ${advice}`}.`;
    super(`${head}\n\n${said}`);
    this.codes = codes;
  }
}

const CODE = /\[code: (\d+)\]/g;

/** What wrangler prints. Throws `WranglerError` with its own words when it fails. */
export async function printed(
  wrangler: Wrangler,
  args: readonly string[],
  variables?: Record<string, string>,
): Promise<string> {
  const outcome = await wrangler(args, variables);
  if (outcome.code === 0) return outcome.stdout;
  throw new WranglerError(args, outcome);
}

/** Returns what wrangler said of a failure, as plain text. */
function saidIn({ stdout, stderr }: Outcome): string {
  return stripVTControlCharacters(stderr.trim() === "" ? stdout : stderr).trim();
}

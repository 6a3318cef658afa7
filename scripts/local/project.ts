import { join } from "node:path";

/** The checkout's root. */
export const ROOT = join(import.meta.dirname, "../..");

/** The service's configuration. */
export const CONFIG = join(ROOT, "wrangler.toml");

/** A problem that the person at the keyboard can solve: printed as one line, without a stack. */
export class UserError extends Error {
  override name = "UserError";
}

/** Prints the error on stderr and ends the process: a `UserError` as its message, a bug with its stack. */
export function failWith(error: unknown): never {
  console.error(error instanceof UserError ? error.message : error);
  process.exit(1);
}

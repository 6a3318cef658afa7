import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import * as z from "zod";
import { closed } from "../contract/fields.ts";
import { UsageError } from "./errors.ts";
import { parseJson } from "./files.ts";
import type { Terminal } from "./terminal.ts";

type Env = Terminal["env"];

/** A service, and the key of an account there. */
export interface Settings {
  baseUrl: string;
  apiKey: string;
}

/** A folder is shared, so its profiles name variables; `login` stores keys where only their user reads. */
const SHARED = closed({ env: z.string() });

/** The profile that a command uses where nothing names one. */
export const DEFAULT_PROFILE = "default";

/** Reads the profiles of a file; none if it is missing. Throws `UsageError` for another file. */
function read<Key extends z.ZodType>(path: string, apiKey: Key) {
  if (!existsSync(path) || statSync(path).isDirectory()) return {};
  const file = closed({ profiles: z.record(z.string(), closed({ url: z.url(), apiKey })) });
  const parsed = file.safeParse(parseJson(readFileSync(path, "utf8"), path));
  if (parsed.success) return parsed.data.profiles;
  const [issue] = parsed.error.issues;
  throw new UsageError(`${path}: ${(issue?.message ?? "invalid value").replace(/\.?$/, ".")}`);
}

function loginFile({ XDG_CONFIG_HOME, HOME }: Env): string {
  const folder = XDG_CONFIG_HOME || join(HOME || homedir(), ".config");
  return join(folder, "prompthook/profiles.json");
}

/** Returns what `login` stored. */
export const logins = (env: Env) => read(loginFile(env), z.string());

/**
 * Returns the settings of a profile: one of the folder's `prompthook.json`, else one that `login` stored.
 * Throws `UsageError` if neither has it, or its variable is not set.
 */
export function profileOf(name: string, folder: string, env: Env): Settings {
  const path = join(folder, "prompthook.json");
  const all = { ...logins(env), ...read(path, SHARED) };
  const { url, apiKey } = all[name] ?? {};
  if (url === undefined || apiKey === undefined) {
    const names = Object.keys(all);
    const others = names.length === 0 ? "" : `, only ${names.join(", ")}`;
    const advice = `Run prompthook login --profile ${name} to add it.`;
    throw new UsageError(`${path} has no profile "${name}"${others}. ${advice}`);
  }
  if (typeof apiKey === "string") return { baseUrl: url, apiKey };
  const key = env[apiKey.env] ?? "";
  if (key !== "") return { baseUrl: url, apiKey: key };
  throw new UsageError(`The profile "${name}" needs ${apiKey.env}, which is not set.`);
}

/** Stores a profile in a file that only its user can read. Returns the file. */
export function storeLogin(env: Env, name: string, { baseUrl, apiKey }: Settings): string {
  const path = loginFile(env);
  const profiles = { ...logins(env), [name]: { url: baseUrl, apiKey } };
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // The mode of a file that exists already would stay.
  if (existsSync(path)) chmodSync(path, 0o600);
  writeFileSync(path, `${JSON.stringify({ profiles }, null, 2)}\n`, { mode: 0o600 });
  return path;
}

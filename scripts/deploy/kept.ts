import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { toBase64Url } from "../../src/lib/encoding.ts";
import { readFileIfAny, writePrivateFile } from "../local/private-file.ts";
import { UserError } from "../local/project.ts";
import type { DeployedConfig } from "./config.ts";
import { shown } from "./tell.ts";

const kept = z.object({
  v: z.literal(1),
  ADMIN_TOKEN: z.string().optional(),
  ENCRYPTION_KEY: z.string().optional(),
  /** The first account; without a key while it is being opened. */
  account: z.object({ name: z.string(), apiKey: z.string().nullable() }).optional(),
});

/** What the operator keeps of a deployment: Cloudflare never shows a secret again. */
export type Kept = z.infer<typeof kept>;

/** The secrets without which the service does not run; wrangler.toml requires the same. */
export const SECRETS = ["ADMIN_TOKEN", "ENCRYPTION_KEY"] as const;
export type SecretName = (typeof SECRETS)[number];

/** Where they are kept: beside the configuration, in a directory that git ignores. */
export function keptFile({ path, name }: DeployedConfig): string {
  return join(dirname(path), ".secrets", `${name}.json`);
}

/** What is kept so far; nothing before the first deployment from here. */
export async function readKept(file: string): Promise<Kept> {
  const text = await readFileIfAny(file);
  if (text === null) return { v: 1 };
  const parsed = kept.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  // It may hold the only copy of the encryption key.
  throw new UserError(`${shown(file)} cannot be read; mend it, or move it away if you are sure.`);
}

/** Keeps it, readable by its owner only. */
export async function writeKept(file: string, record: Kept): Promise<void> {
  const directory = dirname(file);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // The configuration may stand in a repository that does not know this directory.
  await writePrivateFile(join(directory, ".gitignore"), "*\n");
  await writePrivateFile(file, `${JSON.stringify(record, null, 2)}\n`);
}

/** The record with a value for each of these secrets: the kept one, or else a new one of 32 random bytes. */
export function withSecrets(record: Kept, names: readonly SecretName[]): Kept {
  const made = names
    .filter((name) => record[name] === undefined)
    .map((name) => [name, toBase64Url(crypto.getRandomValues(new Uint8Array(32)))]);
  return { ...record, ...Object.fromEntries(made) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { toBase64Url } from "../../src/lib/base64.ts";
import { LOCK_FILE, lockState } from "./lock.ts";
import { readFileIfAny, writePrivateFile } from "./private-file.ts";
import { Trouble } from "./trouble.ts";

const FILE = "prompthook.json";
/** Where wrangler keeps the databases, below the directory that it is given. */
const DATABASES = "v3";
const OURS = /^(?:v3|prompthook\..+)$/;

const record = z.object({
  v: z.literal(1),
  adminToken: z.string(),
  encryptionKey: z.string(),
  /** The account `local`'s key; null until the account is known to be there. */
  apiKey: z.string().nullable(),
});

/** What a checkout's own service remembers beside its databases. */
export type LocalRecord = z.infer<typeof record>;

/** Where the databases of the state in `directory` are. */
export function databasesOf(directory: string): string {
  return join(directory, DATABASES);
}

/**
 * Opens a state directory, making it where there is none. `fresh` empties it first. A first start
 * that did not get as far as the account's key is begun again from nothing: its key was shown to
 * nobody, so nothing of use can hang on it. Throws `Trouble` for a directory that is not ours,
 * or that another service uses.
 */
export async function openState(directory: string, fresh: boolean): Promise<LocalRecord> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await refuseForeign(directory);
  await lockState(directory);
  if (fresh) await empty(directory);
  const known = await readRecord(directory);
  if (known?.apiKey != null) return known;
  if (known) await rm(databasesOf(directory), { recursive: true, force: true });
  const record = known ?? {
    v: 1,
    adminToken: randomSecret(),
    encryptionKey: randomSecret(),
    apiKey: null,
  };
  await saveRecord(directory, record);
  return record;
}

/** Keeps the record, readable by its owner only. */
export async function saveRecord(directory: string, record: LocalRecord): Promise<void> {
  await writePrivateFile(join(directory, FILE), `${JSON.stringify(record, null, 2)}\n`);
}

async function readRecord(directory: string): Promise<LocalRecord | null> {
  const text = await readFileIfAny(join(directory, FILE));
  if (text === null) return null;
  const parsed = record.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new Trouble(
    `${join(directory, FILE)} cannot be read; mend it, or start over with --fresh.`,
  );
}

async function empty(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name === LOCK_FILE) continue;
    await rm(join(directory, name), { recursive: true, force: true });
  }
}

async function refuseForeign(directory: string): Promise<void> {
  const foreign = (await readdir(directory)).filter((name) => !OURS.test(name));
  if (foreign.length === 0) return;
  throw new Trouble(
    `${directory} holds other things (${foreign.slice(0, 3).join(", ")}); name an empty directory in STATE_DIR.`,
  );
}

function randomSecret(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

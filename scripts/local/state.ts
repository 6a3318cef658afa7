import { chmod, mkdir, open, readdir, realpath, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { toBase64Url } from "../../src/lib/encoding.ts";
import { readFileIfAny, writePrivateFile } from "./private-file.ts";
import { UserError } from "./project.ts";

const FILE = "prompthook.json";
const LOCK_FILE = "prompthook.lock";
/** Where workerd notes its process id. */
export const PID_FILE = "prompthook.pid";
/** The folder that `wrangler dev` used too, so states of earlier versions stay in use. */
const DATABASES = "v3";
/** The folder of the service's mails. */
export const OUTBOX = "outbox";
const OURS = /^(?:v3|outbox|prompthook\..+)$/;

const record = z.object({
  v: z.literal(1),
  adminToken: z.string(),
  encryptionKey: z.string(),
  /** Records of earlier versions have none. */
  idKey: z.string().default(randomSecret),
  /** The key of the account `local`; null until the account is known to exist. */
  apiKey: z.string().nullable(),
  /** Whether keys of models in the shell may be used, by their variables. */
  shellKeys: z.record(z.string(), z.boolean()).default({}),
});

/** The service's secrets and its account's key, kept beside the databases. */
export type LocalRecord = z.infer<typeof record>;

/** Returns the folder of the databases in a state directory. */
export function databasesOf(directory: string): string {
  return join(directory, DATABASES);
}

/**
 * Opens a state directory for its owner alone and locks it, creating it if needed; `fresh` empties it first. A first start
 * that ended before the account's key was stored starts over: nobody has seen its key. Throws
 * `UserError` for a directory that another service uses or that holds other files.
 */
export async function openState(directory: string, fresh: boolean): Promise<LocalRecord> {
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(
      `${directory} cannot be created. Set STATE_DIR to a directory that you may write. The reason: ${reason}`,
    );
  });
  await refuseForeign(directory);
  await makePrivate(directory);
  await lock(directory);
  // By now it may be the id of another program, which a backup would pause.
  await rm(join(directory, PID_FILE), { force: true });
  if (fresh) await empty(directory);
  const known = await readRecord(directory);
  if (known?.apiKey != null) {
    // Stores the secrets that an earlier version did not have.
    await saveRecord(directory, known);
    return known;
  }
  if (known) await rm(databasesOf(directory), { recursive: true, force: true });
  const record = known ?? {
    v: 1,
    adminToken: randomSecret(),
    encryptionKey: randomSecret(),
    idKey: randomSecret(),
    apiKey: null,
    shellKeys: {},
  };
  await saveRecord(directory, record);
  return record;
}

/** Stores the record, readable by its owner only. */
export async function saveRecord(directory: string, record: LocalRecord): Promise<void> {
  await writePrivateFile(join(directory, FILE), `${JSON.stringify(record, null, 2)}\n`);
}

async function readRecord(directory: string): Promise<LocalRecord | null> {
  const text = await readFileIfAny(join(directory, FILE));
  if (text === null) return null;
  const parsed = record.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new UserError(
    `${join(directory, FILE)} is damaged. Repair it, or empty the state with --fresh.`,
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
  throw new UserError(
    `${directory} contains other files (${foreign.slice(0, 3).join(", ")}). Set STATE_DIR to an empty directory.`,
  );
}

/** The locks of this process, by the directory's real path; one that is collected would be released. */
const locks = new Map<string, DatabaseSync>();

/**
 * Locks a state directory for this process, until the process ends: two services on the same databases
 * would corrupt them. SQLite takes the lock from the kernel, which releases it however the process ends,
 * and which knows it in every container that has the directory.
 */
async function lock(directory: string): Promise<void> {
  const path = join(await realpath(directory), LOCK_FILE);
  if (locks.has(path)) return;
  const file = await lockFile(directory);
  if (file === null) {
    throw new UserError(
      `${directory} is in use: another service holds the lock on ${path}. Stop that service, or set STATE_DIR to another directory.`,
    );
  }
  locks.set(path, file);
}

/** Returns the locked file of a state directory, or null if another process has locked it. */
async function lockFile(directory: string): Promise<DatabaseSync | null> {
  const path = join(directory, LOCK_FILE);
  await (await open(path, "a", 0o600)).close();
  const file = new DatabaseSync(path);
  try {
    // In memory, so that no journal stays behind a killed process.
    file.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return file;
  } catch (error) {
    file.close();
    if (isLocked(error)) return null;
    throw error;
  }
}

/** Does some work on a state that no service uses, and keeps services from it meanwhile. Returns false if one does. */
export async function whileUnused(directory: string, work: () => Promise<void>): Promise<boolean> {
  const file = await lockFile(directory);
  if (file === null) return false;
  try {
    await work();
  } finally {
    file.close();
  }
  return true;
}

/** SQLite's code for a file that another connection has locked. */
const SQLITE_BUSY = 5;

function isLocked(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}

/** Takes a directory that the caller owns from everybody else: a mounted volume may be somebody else's. */
async function makePrivate(directory: string): Promise<void> {
  if (((await stat(directory)).mode & 0o077) === 0) return;
  await chmod(directory, 0o700).catch((error: unknown) => {
    const isForeign = error instanceof Error && "code" in error && error.code === "EPERM";
    if (!isForeign) throw error;
  });
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

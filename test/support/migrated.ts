import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { buildWorker } from "../../scripts/local/build.ts";
import { applyMigrations, readMigrations } from "../../scripts/local/migrations.ts";
import { ROOT } from "../../scripts/local/project.ts";

const CACHE = join(ROOT, "node_modules/.cache/prompthook-tests");

/** The migrated databases that all new ones are copies of, once this process has asked for them. */
let migrated: Promise<string> | null = null;

/**
 * Puts databases with all migrations into `directory`, as the first start of a service does, which takes a
 * runtime of their own for it, and a second of the processor.
 */
export async function placeDatabases(directory: string): Promise<void> {
  migrated ??= migratedDatabases();
  await cp(await migrated, directory, { recursive: true });
}

async function migratedDatabases(): Promise<string> {
  const { options } = await buildWorker();
  const migrations = await readMigrations(join(ROOT, "migrations"));
  const wanted = JSON.stringify([migrations, options.d1Databases]);
  const hash = createHash("sha256").update(wanted).digest("hex").slice(0, 16);
  const directory = join(CACHE, `databases-${hash}`);
  const isMade = await stat(directory).catch(() => null);
  if (isMade !== null) return directory;
  await mkdir(CACHE, { recursive: true });
  const draft = await mkdtemp(join(CACHE, "draft-"));
  await applyMigrations(migrations, draft, options);
  // Another process may have made the same meanwhile.
  await rename(draft, directory).catch(() => rm(draft, { recursive: true }));
  return directory;
}

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "./miniflare.ts";
import type { LocalOptions } from "./options.ts";
import { readFileIfAny, writePrivateFile } from "./private-file.ts";
import { superviseWorkerd } from "./runtime.ts";

export interface Migration {
  name: string;
  statements: string[];
}

const JOURNAL =
  "CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)";
const REMEMBER = "INSERT INTO d1_migrations (name) VALUES (?)";

/** The migrations in `directory`, in order. Drizzle puts a mark between the statements of a file. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(directory, name), "utf8");
      const statements = text.split("--> statement-breakpoint").map((part) => part.trim());
      return { name, statements: statements.filter((statement) => statement !== "") };
    }),
  );
}

/**
 * Applies what is missing to the local databases, as `wrangler d1 migrations apply --local` does and
 * with the same journal, in a third of its time. Each migration and its entry in the journal are one
 * transaction. A note beside the databases spares the next start the look into it.
 */
export async function applyMigrations(
  migrations: Migration[],
  databases: string,
  { d1Databases }: Pick<LocalOptions, "d1Databases">,
  onMigrate: () => void = () => undefined,
): Promise<void> {
  const note = join(databases, "d1", "applied.json");
  const names = migrations.map(({ name }) => name);
  const wanted = JSON.stringify({ names, d1Databases });
  if ((await readFileIfAny(note)) === wanted) return;
  onMigrate();
  superviseWorkerd();
  const miniflare = new Miniflare(onlyDatabases(databases, d1Databases));
  try {
    for (const binding of Object.keys(d1Databases)) {
      await applyMissing(await miniflare.getD1Database(binding), migrations);
    }
  } finally {
    await miniflare.dispose();
  }
  await writePrivateFile(note, wanted);
}

type Database = Awaited<ReturnType<InstanceType<typeof Miniflare>["getD1Database"]>>;

async function applyMissing(db: Database, migrations: Migration[]): Promise<void> {
  await db.prepare(JOURNAL).run();
  const { results } = await db.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  const done = new Set(results.map(({ name }) => name));
  for (const { name, statements } of migrations) {
    if (done.has(name)) continue;
    await db.batch([
      ...statements.map((statement) => db.prepare(statement)),
      db.prepare(REMEMBER).bind(name),
    ]);
  }
}

/** A runtime with the databases alone. */
function onlyDatabases(databases: string, d1Databases: LocalOptions["d1Databases"]) {
  return convertV4MiniflareOptions({
    modules: true,
    script: "export default {}",
    compatibilityDate: "2026-08-01",
    d1Databases,
    resourcePersistencePath: databases,
    cf: false,
    telemetry: { enabled: false },
  });
}

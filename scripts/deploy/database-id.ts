import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { UserError } from "../local/project.ts";
import { type DeployedConfig, readDeployed } from "./config.ts";

const HEADER = /^\s*\[/;
const OURS = /^\s*\[\[\s*env\.production\.d1_databases\s*\]\]/;
const ID = /^(\s*database_id\s*=\s*)(["'])[^"']*\2/;

/** The text of a wrangler.toml with another database in `[env.production]`, and nothing else changed. */
export function withDatabaseId(text: string, id: string): string {
  let inOurs = false;
  const lines = text.split("\n").map((line) => {
    if (HEADER.test(line)) inOurs = OURS.test(line);
    return inOurs
      ? line.replace(ID, (_, key: string, quote: string) => key + quote + id + quote)
      : line;
  });
  return lines.join("\n");
}

/** Writes the database's id into the configuration. A kill leaves the old file or the new one, whole. */
export async function writeDatabaseId({ path }: DeployedConfig, id: string): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  const { mode } = await stat(path);
  await writeFile(draft, withDatabaseId(await readFile(path, "utf8"), id), { mode });
  await rename(draft, path);
  if ((await readDeployed(path)).database.id === id) return;
  throw new UserError(
    `Write database_id = "${id}" under [[env.production.d1_databases]] in ${path}, then run this again.`,
  );
}

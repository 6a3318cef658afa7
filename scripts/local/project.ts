import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Trouble } from "./trouble.ts";

/** The checkout's root. */
export const ROOT = join(import.meta.dirname, "../..");

/** The id of the one database in wrangler.toml, which names the local copy too. */
export async function databaseId(): Promise<string> {
  const text = await readFile(join(ROOT, "wrangler.toml"), "utf8");
  const id = /^\s*database_id\s*=\s*"([^"]+)"/m.exec(text)?.[1];
  if (id === undefined) throw new Trouble("wrangler.toml names no database_id.");
  return id;
}

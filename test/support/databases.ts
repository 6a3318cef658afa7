import { glob } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { databasesOf } from "../../scripts/local/state.ts";

const check = z.object({ integrity_check: z.string() });

/** Returns what SQLite finds wrong in the databases of a state directory that no service uses. */
export async function databaseFaults(stateDir: string): Promise<string[]> {
  const faults: string[] = [];
  let count = 0;
  for await (const file of glob(join(databasesOf(stateDir), "**/*.sqlite"))) {
    count += 1;
    const database = new DatabaseSync(file);
    for (const row of database.prepare("PRAGMA integrity_check").all()) {
      const { integrity_check: said } = check.parse(row);
      if (said !== "ok") faults.push(`${file}: ${said}`);
    }
    database.close();
  }
  return count === 0 ? [`${stateDir} has no databases`] : faults;
}

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { licenceTable, readLock } from "./licences/table.ts";
import { ROOT } from "./local/project.ts";

const lock = readLock(await readFile(join(ROOT, "package-lock.json"), "utf8"));
await writeFile(join(ROOT, "docs/licences.md"), licenceTable(lock));

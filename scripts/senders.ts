import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./local/project.ts";
import { sendersDocument } from "./senders/document.ts";

await writeFile(join(ROOT, "docs/senders.md"), sendersDocument());

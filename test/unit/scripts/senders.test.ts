import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../../scripts/local/project.ts";
import { sendersDocument } from "../../../scripts/senders/document.ts";

test("docs/senders.md lists every preset", async () => {
  expect(await readFile(join(ROOT, "docs/senders.md"), "utf8")).toBe(sendersDocument());
});

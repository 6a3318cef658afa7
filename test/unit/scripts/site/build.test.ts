import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildSite } from "../../../../scripts/site/build.ts";
import { folderOfTest } from "../../../support/until-end.ts";

test("rebuilding the site keeps unchanged files, and removes stale ones", async () => {
  const directory = await folderOfTest();
  await buildSite(directory);
  const before = await writtenAt(directory);
  expect(before.size).toBeGreaterThan(20);
  await writeFile(join(directory, "docs/deleted-guide.html"), "");
  await buildSite(directory);
  expect(await writtenAt(directory)).toEqual(before);
});

/** When each file of a folder was written, by its path. */
async function writtenAt(directory: string): Promise<Map<string, number>> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name));
  return new Map(
    await Promise.all(paths.map(async (path) => [path, (await stat(path)).mtimeMs] as const)),
  );
}

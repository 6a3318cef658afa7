import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSite } from "../../../../scripts/site/build.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "prompthook-site-"));
});
afterAll(() => rm(directory, { recursive: true }));

test("rebuilding the site keeps unchanged files, and removes stale ones", async () => {
  await buildSite(directory);
  const before = await writtenAt();
  expect(before.size).toBeGreaterThan(20);
  await writeFile(join(directory, "docs/deleted-guide.html"), "");
  await buildSite(directory);
  expect(await writtenAt()).toEqual(before);
});

/** When each file was written, by its path. */
async function writtenAt(): Promise<Map<string, number>> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name));
  return new Map(
    await Promise.all(paths.map(async (path) => [path, (await stat(path)).mtimeMs] as const)),
  );
}

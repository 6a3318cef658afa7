import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Starts something for the tests of a file, and closes it after the last of them. */
export async function untilEnd<Started extends { close(): unknown }>(
  starting: Promise<Started>,
): Promise<Started> {
  const started = await starting;
  afterAll(() => started.close());
  return started;
}

/** Makes a folder for the tests of a file, which is removed after the last of them. */
export async function folderUntilEnd(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "prompthook-test-"));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

/** Starts something for the tests of a file, and closes it after the last of them. */
export async function untilEnd<Started extends { close(): unknown }>(
  starting: Promise<Started>,
): Promise<Started> {
  const started = await starting;
  afterAll(() => started.close());
  return started;
}

const newFolder = () => mkdtemp(join(tmpdir(), "prompthook-test-"));

/** Makes a folder for the tests of a file, which is removed after the last of them. */
export async function folderUntilEnd(): Promise<string> {
  const folder = await newFolder();
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes a folder for the test that runs, which is removed after it. */
export async function folderOfTest(): Promise<string> {
  const folder = await newFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { databasesOf, openState, saveRecord } from "../../../scripts/local/state.ts";
import { folderOfTest } from "../../support/until-end.ts";

let directory: string;

beforeEach(async () => {
  directory = join(await folderOfTest(), "state");
});

async function finishedState() {
  const record = { ...(await openState(directory, false)), apiKey: "ph_live_x" };
  await saveRecord(directory, record);
  await addDatabase();
  return record;
}

async function addDatabase() {
  await mkdir(databasesOf(directory), { recursive: true });
  await writeFile(join(databasesOf(directory), "data"), "");
}

const databaseIsThere = () =>
  access(join(databasesOf(directory), "data")).then(
    () => true,
    () => false,
  );

test("generates secrets of 32 random bytes, and keeps them across starts", async () => {
  const record = await finishedState();
  const { adminToken, encryptionKey } = record;
  expect(Buffer.from(encryptionKey, "base64url")).toHaveLength(32);
  expect(Buffer.from(adminToken, "base64url")).toHaveLength(32);
  expect(adminToken).not.toBe(encryptionKey);
  expect(await openState(directory, false)).toEqual(record);
  expect(await databaseIsThere()).toBe(true);
});

test("adds missing secrets to the record of an earlier version, once", async () => {
  const { idKey: _, ...earlier } = await finishedState();
  await writeFile(join(directory, "prompthook.json"), JSON.stringify(earlier));
  const { idKey, ...rest } = await openState(directory, false);
  expect(rest).toEqual(earlier);
  expect(Buffer.from(idKey, "base64url")).toHaveLength(32);
  expect((await openState(directory, false)).idKey).toBe(idKey);
});

test("is readable only by its owner, even in an existing directory", async () => {
  await mkdir(directory, { mode: 0o755 });
  await openState(directory, false);
  for (const name of await readdir(directory)) {
    expect((await stat(join(directory, name))).mode & 0o077).toBe(0);
  }
  expect((await stat(directory)).mode & 0o077).toBe(0);
});

test("repeats a first start that was killed before it had the account's key", async () => {
  const { adminToken } = await openState(directory, false);
  await addDatabase();
  expect(await openState(directory, false)).toMatchObject({ adminToken, apiKey: null });
  expect(await databaseIsThere()).toBe(false);
});

test("empties the state with --fresh", async () => {
  const { adminToken } = await finishedState();
  const record = await openState(directory, true);
  expect(record.apiKey).toBeNull();
  expect(record.adminToken).not.toBe(adminToken);
  expect(await databaseIsThere()).toBe(false);
});

test("does not touch a directory with other content", async () => {
  await mkdir(directory);
  await writeFile(join(directory, "thesis.txt"), "years of work");
  await expect(openState(directory, true)).rejects.toThrow("contains other files (thesis.txt)");
  expect(await readFile(join(directory, "thesis.txt"), "utf8")).toBe("years of work");
});

test("refuses an unreadable record instead of starting over", async () => {
  await finishedState();
  await writeFile(join(directory, "prompthook.json"), "{");
  await expect(openState(directory, false)).rejects.toThrow("is damaged");
  expect(await databaseIsThere()).toBe(true);
});

test("refuses a state in use by another process, until that is killed", async () => {
  const state = join(import.meta.dirname, "../../../scripts/local/state.ts");
  const open = `const { openState, saveRecord } = await import(${JSON.stringify(state)});
    const record = await openState(${JSON.stringify(directory)}, false);
    await saveRecord(${JSON.stringify(directory)}, { ...record, apiKey: "ph_live_x" });
    console.log("opened");
    setInterval(() => {}, 1_000);`;
  const other = spawn(process.execPath, ["--input-type=module", "--eval", open], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(other.stdout, "data");
  await addDatabase();
  await expect(openState(directory, true)).rejects.toThrow(
    `the lock on ${join(directory, "prompthook.lock")}`,
  );
  expect(await databaseIsThere()).toBe(true);
  other.kill("SIGKILL");
  await once(other, "exit");
  await expect(openState(directory, false)).resolves.toMatchObject({ apiKey: "ph_live_x" });
});

test("forgets the process id that an earlier start left, which may be another program's by now", async () => {
  await finishedState();
  await writeFile(join(directory, "prompthook.pid"), String(process.ppid));
  await expect(openState(directory, false)).resolves.toMatchObject({ apiKey: "ph_live_x" });
  expect(await readdir(directory)).not.toContain("prompthook.pid");
});

test("explains that a state directory cannot be created", async () => {
  await writeFile(directory, "a file");
  await expect(openState(directory, false)).rejects.toThrow(
    `${directory} cannot be created. Set STATE_DIR to a directory that you may write.`,
  );
});

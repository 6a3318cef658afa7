import { readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { openFirstAccount } from "../../../../scripts/deploy/first-account.ts";
import {
  prepareSecrets,
  readSecrets,
  SECRETS,
  withSecrets,
  writeSecrets,
} from "../../../../scripts/deploy/secrets.ts";
import { folderOfTest } from "../../../support/until-end.ts";

let file: string;

beforeEach(async () => {
  file = join(await folderOfTest(), ".secrets", "prompthook.json");
});

const opened = { accountId: "acc_1", apiKey: "ph_live_new" };

/** The operators' side of a service with this many accounts. */
function adminOf(count: number, openAccount: () => Promise<typeof opened> = async () => opened) {
  return { accounts: async () => Array.from({ length: count }), openAccount };
}

test("generates each secret once, of 32 random bytes", () => {
  const made = withSecrets({ v: 1, ADMIN_TOKEN: "mine" }, ["ADMIN_TOKEN", "ENCRYPTION_KEY"]);
  expect(made.ADMIN_TOKEN).toBe("mine");
  expect(Buffer.from(made.ENCRYPTION_KEY ?? "", "base64url")).toHaveLength(32);
  expect(withSecrets(made, ["ENCRYPTION_KEY"])).toEqual(made);
  expect(withSecrets({ v: 1 }, [])).toEqual({ v: 1 });
});

test("refuses a guessable operators' token, and explains how to replace it", async () => {
  await writeSecrets(file, { v: 1, ADMIN_TOKEN: "a-token-of-22-letters" });
  const config = { name: "prompthook", path: join(dirname(dirname(file)), "wrangler.toml") };
  const preparing = prepareSecrets(
    config,
    { secrets: [...SECRETS], databases: [] },
    { report: () => {}, environment: {} },
  );
  await expect(preparing).rejects.toThrow(
    /^Invalid configuration: ADMIN_TOKEN must have at least 32 characters.*`openssl rand -hex 32`\.\n.*wrangler secret put ADMIN_TOKEN/,
  );
});

test("stores them readable only by the owner, outside any repository", async () => {
  await writeSecrets(file, { v: 1, ADMIN_TOKEN: "x" });
  expect((await stat(file)).mode & 0o077).toBe(0);
  expect((await stat(dirname(file))).mode & 0o077).toBe(0);
  expect(await readFile(join(dirname(file), ".gitignore"), "utf8")).toBe("*\n");
  expect(await readSecrets(file)).toEqual({ v: 1, ADMIN_TOKEN: "x" });
});

test("never treats an unreadable file as missing", async () => {
  await writeSecrets(file, { v: 1 });
  await writeFile(file, "{");
  await expect(readSecrets(file)).rejects.toThrow("is damaged");
});

test("opens the first account, and keeps its key", async () => {
  const first = await openFirstAccount(adminOf(0), file, await readSecrets(file));
  expect(first).toMatchObject({ apiKey: "ph_live_new", newKey: "ph_live_new" });
  const kept = await readSecrets(file);
  expect(kept.account).toEqual({ name: "operator", apiKey: "ph_live_new" });
  const never = adminOf(0, () => Promise.reject(new Error("asked again")));
  expect(await openFirstAccount(never, file, kept)).toMatchObject({
    apiKey: "ph_live_new",
    newKey: null,
  });
});

test("opens no account where some exist", async () => {
  const never = adminOf(2, () => Promise.reject(new Error("asked")));
  const first = await openFirstAccount(never, file, { v: 1 });
  expect(first).toMatchObject({ apiKey: null, newKey: null });
});

test("remembers an interrupted opening, whose key would be unknown", async () => {
  const lost = adminOf(0, () => Promise.reject(new Error("killed")));
  await expect(openFirstAccount(lost, file, { v: 1 })).rejects.toThrow("killed");
  const kept = await readSecrets(file);
  expect(kept.account).toEqual({ name: "operator", apiKey: null });
  expect(await openFirstAccount(adminOf(1), file, kept)).toMatchObject({ newKey: "ph_live_new" });
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({
    account: { apiKey: "ph_live_new" },
  });
});

import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { databaseExport } from "../../scripts/backup/deployment.ts";
import { type Wrangler, wranglerOn } from "../../scripts/deploy/wrangler.ts";
import { CONFIG } from "../../scripts/local/project.ts";
import { expectRestored, runScript } from "../support/backup.ts";
import { connect, createAccount } from "../support/client.ts";
import { startCloudflare } from "../support/cloudflare/cloudflare.ts";
import { choosePort } from "../support/ports.ts";
import { runStart } from "../support/service.ts";
import { folderOfTest } from "../support/until-end.ts";

test("an account is identical in another deployment, with other keys, after an interrupted restore", () =>
  expectRestored({ executions: 6, requests: 30 }));

test("the databases of a deployment are exported by the real wrangler", async () => {
  const cloudflare = await startCloudflare();
  onTestFinished(cloudflare.close);
  const folder = await folderOfTest();
  const { id } = cloudflare.account;
  const { environment } = cloudflare;
  const variables = { ...environment, CLOUDFLARE_ACCOUNT_ID: id };
  const wrangler: Wrangler = (args) => wranglerOn(CONFIG)(args, variables);
  // A deployment whose configuration has names of its own.
  const config = join(folder, "wrangler.own.toml");
  const built = await readFile(CONFIG, "utf8");
  await writeFile(config, built.replace('database_name = "prompthook"', 'database_name = "quay"'));
  const options = { name: null, config };
  const known: Record<string, unknown> = {
    whoami: { loggedIn: true, accounts: [{ id, name: "Harbour Lane" }] },
    auth: { type: "api_token", token: "a-token-of-the-operator" },
  };
  const told: Wrangler = async ([command = ""]) => ({
    code: 0,
    stdout: JSON.stringify(known[command]),
    stderr: "",
  });
  await expect(databaseExport(told, options, variables)).rejects.toThrow("no database quay");
  for (const name of ["quay", "other"]) {
    await fetch(`${environment.CLOUDFLARE_API_BASE_URL}/accounts/${id}/d1/database`, {
      method: "POST",
      body: JSON.stringify({ name }),
    });
  }
  for (const [at, { uuid }] of cloudflare.account.databases.entries()) {
    await cloudflare.query(uuid, `CREATE TABLE of_${at} (id TEXT)`);
  }
  const files = await (await databaseExport(wrangler, options, variables))(folder);
  expect(files).toEqual(["quay.sql"]);
  expect(await readFile(join(folder, "quay.sql"), "utf8")).toContain("CREATE TABLE of_0");
});

test("a copy of a running state starts with everything accepted, and the service continues", async () => {
  const folder = await folderOfTest();
  const [copy, restored] = [join(folder, "copy"), join(folder, "restored")];
  const STATE_DIR = join(folder, "state");
  let isCopied = false;
  const start = async (stateDir: string) => {
    const PORT = String(await choosePort());
    const service = runStart({ ADMIN_TOKEN, PORT, STATE_DIR: stateDir });
    onTestFinished(service.kill9);
    return service.ready;
  };
  const { url } = await start(STATE_DIR);
  const client = await createAccount({ url, adminToken: ADMIN_TOKEN });
  const accepted: string[] = [];
  const load = async () => {
    while (!isCopied) accepted.push(await client.trigger({ prompt: "Say hello" }));
  };
  const loads = [load(), load(), load(), load()];
  await expect.poll(() => accepted.length).toBeGreaterThan(20);
  const before = [...accepted];
  await runScript("backup", [copy], { STATE_DIR }).finally(() => {
    isCopied = true;
  });
  await Promise.all(loads);
  for (const id of accepted) expect(await client.ended(id)).toMatchObject({ status: "completed" });
  expect(existsSync(join(copy, "prompthook.lock"))).toBe(false);

  const restore = () => runScript("restore", [copy], { STATE_DIR: restored });
  await restore();
  await expect(restore()).rejects.toThrow("not empty");
  const there = connect((await start(restored)).url, client.accountId, client.apiKey);
  for (const id of before) expect(await there.ended(id)).toMatchObject({ status: "completed" });
  await expect.poll(() => there.credits()).toMatchObject({ reservedCredits: 0 });
});

const ADMIN_TOKEN = "the-operators-token-of-a-state-to-copy";

import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportDatabases } from "../../scripts/backup/deployment.ts";
import { type Wrangler, wranglerOn } from "../../scripts/deploy/wrangler.ts";
import { CONFIG } from "../../scripts/local/project.ts";
import { expectRestored, runScript } from "../support/backup.ts";
import { connect, createAccount } from "../support/client.ts";
import { startCloudflare } from "../support/cloudflare/cloudflare.ts";
import { choosePort } from "../support/ports.ts";
import { runStart } from "../support/service.ts";

test("an account is identical in another deployment, with other keys, after an interrupted restore", () =>
  expectRestored({ executions: 6, requests: 30 }));

test("the databases of a deployment are exported by the real wrangler", async () => {
  const cloudflare = await startCloudflare();
  const folder = await mkdtemp(join(tmpdir(), "prompthook-export-"));
  const { id } = cloudflare.account;
  const { environment } = cloudflare;
  const variables = { ...environment, CLOUDFLARE_ACCOUNT_ID: id };
  const wrangler: Wrangler = (args) => wranglerOn(CONFIG)(args, variables);
  const options = { name: "quay", environment: variables };
  const known: Record<string, unknown> = {
    whoami: { loggedIn: true, accounts: [{ id, name: "Harbour Lane" }] },
    auth: { type: "api_token", token: "a-token-of-the-operator" },
  };
  const told: Wrangler = async ([command = ""]) => ({
    code: 0,
    stdout: JSON.stringify(known[command]),
    stderr: "",
  });
  try {
    await expect(exportDatabases(told, folder, options)).rejects.toThrow("no database quay");
    for (const name of ["quay", "other"]) {
      await fetch(`${environment.CLOUDFLARE_API_BASE_URL}/accounts/${id}/d1/database`, {
        method: "POST",
        body: JSON.stringify({ name }),
      });
    }
    for (const [at, { uuid }] of cloudflare.account.databases.entries()) {
      await cloudflare.query(uuid, `CREATE TABLE of_${at} (id TEXT)`);
    }
    const files = await exportDatabases(wrangler, folder, options);
    expect(files).toEqual(["quay.sql"]);
    expect(await readFile(join(folder, "quay.sql"), "utf8")).toContain("CREATE TABLE of_0");
  } finally {
    await cloudflare.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test("a copy of a running state starts with everything accepted, and the service continues", async () => {
  const folder = await mkdtemp(join(tmpdir(), "prompthook-copy-"));
  const ADMIN_TOKEN = "the-operators-token-of-a-state-to-copy";
  const STATE_DIR = join(folder, "state");
  const service = runStart({ ADMIN_TOKEN, PORT: String(await choosePort()), STATE_DIR });
  let isCopied = false;
  try {
    const { url } = await service.ready;
    const client = await createAccount({ url, adminToken: ADMIN_TOKEN });
    const accepted: string[] = [];
    const before: string[] = [];
    const load = async () => {
      while (!isCopied) accepted.push(await client.trigger({ prompt: "Say hello" }));
    };
    const loads = [load(), load(), load(), load()];
    await expect.poll(() => accepted.length).toBeGreaterThan(20);
    before.push(...accepted);
    const [copy, restored] = [join(folder, "copy"), join(folder, "restored")];
    await runScript("backup", [copy], { STATE_DIR });
    isCopied = true;
    await Promise.all(loads);
    for (const id of accepted)
      expect(await client.ended(id)).toMatchObject({ status: "completed" });
    expect(existsSync(join(copy, "prompthook.lock"))).toBe(false);

    await runScript("restore", [copy], { STATE_DIR: restored });
    await expect(runScript("restore", [copy], { STATE_DIR: restored })).rejects.toThrow(
      "not empty",
    );
    const started = runStart({
      ADMIN_TOKEN,
      PORT: String(await choosePort()),
      STATE_DIR: restored,
    });
    try {
      const { url } = await started.ready;
      const there = connect(url, client.accountId, client.apiKey);
      for (const id of before) expect(await there.ended(id)).toMatchObject({ status: "completed" });
      await expect.poll(() => there.credits()).toMatchObject({ reservedCredits: 0 });
    } finally {
      await started.kill9();
    }
  } finally {
    isCopied = true;
    await service.kill9();
    await rm(folder, { recursive: true, force: true });
  }
});

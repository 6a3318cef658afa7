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
import { runStart, startTestService } from "../support/service.ts";

test("an account is the same in another deployment, with other keys, after an interrupted restore", () =>
  expectRestored({ executions: 12, requests: 60 }));

test("the databases of a deployment are exported by the real wrangler", async () => {
  const cloudflare = await startCloudflare();
  const folder = await mkdtemp(join(tmpdir(), "prompthook-export-"));
  const { id } = cloudflare.account;
  const { environment } = cloudflare;
  const variables = { ...environment, CLOUDFLARE_ACCOUNT_ID: id };
  const wrangler: Wrangler = (args) => wranglerOn(CONFIG)(args, variables);
  const options = { name: "quay", environment: variables };
  try {
    await expect(exportDatabases(wrangler, folder, options)).rejects.toThrow("no database quay");
    for (const name of ["quay", "quay-records-0", "other"]) {
      await fetch(`${environment.CLOUDFLARE_API_BASE_URL}/accounts/${id}/d1/database`, {
        method: "POST",
        body: JSON.stringify({ name }),
      });
    }
    for (const [at, { uuid }] of cloudflare.account.databases.entries()) {
      await cloudflare.query(uuid, `CREATE TABLE of_${at} (id TEXT)`);
    }
    const files = await exportDatabases(wrangler, folder, options);
    expect(files).toEqual(["quay.sql", "quay-records-0.sql"]);
    for (const [at, file] of files.entries()) {
      expect(await readFile(join(folder, file), "utf8")).toContain(`CREATE TABLE of_${at}`);
    }
  } finally {
    await cloudflare.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test("a copy of a running state starts with all that was accepted, and the service goes on", async () => {
  const folder = await mkdtemp(join(tmpdir(), "prompthook-copy-"));
  const service = await startTestService();
  const ADMIN_TOKEN = service.adminToken;
  let isCopied = false;
  try {
    const client = await createAccount(service);
    const accepted: string[] = [];
    const before: string[] = [];
    const load = async () => {
      while (!isCopied) accepted.push(await client.trigger({ prompt: "Say hello" }));
    };
    const loads = [load(), load(), load(), load()];
    await expect.poll(() => accepted.length).toBeGreaterThan(20);
    before.push(...accepted);
    const [copy, restored] = [join(folder, "copy"), join(folder, "restored")];
    await runScript("backup", [copy], { STATE_DIR: service.stateDir });
    isCopied = true;
    await Promise.all(loads);
    for (const id of accepted)
      expect(await client.ended(id)).toMatchObject({ status: "completed" });
    expect(existsSync(join(copy, "prompthook.lock"))).toBe(false);

    await runScript("restore", [copy], { STATE_DIR: restored });
    await expect(runScript("restore", [copy], { STATE_DIR: restored })).rejects.toThrow(
      "not empty",
    );
    const started = runStart({ ADMIN_TOKEN, PORT: "0", STATE_DIR: restored });
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
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
});

import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { timeTravelled } from "../../../src/contract/backup.ts";
import { openOffice } from "../../support/worker/approvals.ts";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import { callsOf, env, expectProblem, resultOf } from "../../support/worker/client.ts";
import { hostOf } from "../../support/worker/objects.ts";

const travel = (accountId: string, to: number, dryRun?: boolean) =>
  callsOf(ADMIN_TOKEN).post(`/api/v1/admin/accounts/${accountId}/time-travel`, {
    to: new Date(to).toISOString(),
    ...(dryRun !== undefined && { dryRun }),
  });

const report = async (response: Response) => timeTravelled.parse(await response.json());

/** Lets an object go back as Cloudflare's do: to the rows that it had when this was called. */
async function rememberRows(
  object: DurableObjectStub,
  tables: readonly string[],
): Promise<() => Promise<void>> {
  const rows = await runInDurableObject(object, (_, { storage }) =>
    tables.map((table) => storage.sql.exec(`SELECT * FROM ${table}`).toArray()),
  );
  return () =>
    runInDurableObject(object, (_, { storage }) => {
      Object.assign(storage, {
        getBookmarkForTime: async () => "a bookmark",
        async onNextSessionRestoreBookmark() {
          tables.forEach((table, at) => {
            storage.sql.exec(`DELETE FROM ${table}`);
            for (const row of rows[at] ?? []) {
              const names = Object.keys(row);
              const marks = names.map(() => "?").join();
              const query = `INSERT INTO ${table} (${names.join()}) VALUES (${marks})`;
              storage.sql.exec(query, ...Object.values(row));
            }
          });
          await storage.sync();
          return "what was before";
        },
      });
    });
}

it("refuses on a local service, and changes nothing", async () => {
  const { accountId, paying, asked } = await openOffice();
  const { id } = await paying();
  await asked(id, "pay");
  const { dryRun, parts } = await report(await travel(accountId, Date.now() - 1_000));
  expect(dryRun).toBe(true);
  expect(parts.map(({ state }) => state)).toEqual(["refused", "refused"]);
  const refused = await travel(accountId, Date.now() - 1_000, false);
  const { detail } = await expectProblem(refused, 409, "conflict");
  expect(detail).toMatch(/^Nothing was set back, because host\/\d+ refuses: .*point-in-time/);
  await expectProblem(await travel(accountId, Date.now() + 60_000), 400, "invalid_request");
  await asked(id, "pay");
});

it("does not repeat an effect confirmed after the restored time", async () => {
  const { accountId, apiKey, paying, asked, decide, ended } = await openOffice();
  const { id, site } = await paying();
  await asked(id, "pay");
  const at = Date.now();
  const objects = [
    await rememberRows(env.ACCOUNT.getByName(accountId), ["executions", "grants"]),
    await rememberRows(hostOf(accountId, id), ["heads", "journal"]),
  ];
  await decide(id, "pay", "approve");
  await ended(id);
  for (const prepare of objects) await prepare();

  const plan = await report(await travel(accountId, at));
  const effect = { executionId: id, effectId: "pay", tool: "http_request", state: "confirmed" };
  expect(plan).toMatchObject({ dryRun: true, effects: [effect] });
  expect(plan.parts.map(({ state }) => state)).toEqual(["ready", "ready"]);
  const done = await report(await travel(accountId, at, false));
  expect(done).toMatchObject({ dryRun: false, effects: [effect] });
  expect(done.parts.map(({ state }) => state)).toEqual(["restored", "restored"]);

  await asked(id, "pay");
  await decide(id, "pay", "approve");
  await ended(id);
  expect(await site.letters()).toHaveLength(1);
  const { effects } = await resultOf(apiKey, id);
  expect(effects).toMatchObject([{ effectId: "pay", state: "confirmed" }]);
});

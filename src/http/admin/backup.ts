import * as z from "zod";
import {
  backupPart,
  backupPlan,
  type Copied,
  copiedPage,
  type GoBackReply,
  openBody,
  restoreBody,
  timeTravelBody,
  timeTravelled,
} from "../../contract/backup.ts";
import { EXAMPLE_ID } from "../../contract/execution.ts";
import { wentBack } from "../../durable/backup.ts";
import { accountStub, inboxStub, slotHostStub } from "../../durable/stubs.ts";
import { settingsOf } from "../../env.ts";
import { mapConcurrently } from "../../lib/async.ts";
import { slotOf } from "../../lib/execution-id.ts";
import { logWarning } from "../../lib/log.ts";
import { fingerprints } from "../../lib/secrets.ts";
import { copyRows, RowsRefusedError, storeRecords } from "../../records/copy.ts";
import { allEndpointIds } from "../../records/endpoints.ts";
import { executionIdsAfter } from "../../records/executions.ts";
import { forgetExecutionsSince, keptEffectsOf } from "../../records/kept-effects.ts";
import { adminToken as auth } from "../authentication.ts";
import { callOnce, callWithRetry, conflict, invalid, notFound } from "../problem.ts";
import { jsonBody, jsonResponse, route } from "../route.ts";
import { ACCOUNTS, overviewOf } from "./accounts.ts";

const IDS = 1_000;
/** The pages of a copy have 4 MB; a row of 2 MB may take some more as JSON. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;

const settled = {
  table: "settled",
  columns: ["execution_id", "settled_at"],
  rows: [[EXAMPLE_ID, 1_763_631_000_000]],
};
const exampleRestore = {
  backupId: "0198b3f0-5b7e-7e2a-9d4c-1f6f0c9a2b11",
  keys: ["9f86d081", "60303ae2"],
  page: { part: "account", schema: 5, tables: [settled] },
};

const plan = route("GET", `${ACCOUNTS}/:accountId/backup`, {
  operationId: "planBackup",
  summary: "List the parts of an account to back up",
  description: "Returns the parts, in the order in which `npm run backup` copies them.",
  auth,
  response: jsonResponse(200, "The parts.", backupPlan),
  async handler({ http: { env }, params: { accountId } }) {
    if ((await overviewOf(env, accountId)) === null) throw notFound();
    const parts = [...(await objectsOf(env, accountId)), "records"];
    return { value: { parts, keys: await keysOf(env) } };
  },
});

const read = route("GET", `${ACCOUNTS}/:accountId/backup/page`, {
  operationId: "copyPart",
  summary: "Copy a page of a part of an account",
  description:
    "Returns rows as they are stored, with secrets sealed. All pages of a part are of one moment: if it changes meanwhile, the answer is 409 and the copy of this part begins again without `cursor`.",
  auth,
  query: z.strictObject({
    part: backupPart,
    cursor: z.string().max(10_000).optional().describe("The `nextCursor` of the previous page."),
  }),
  response: jsonResponse(200, "The page.", copiedPage),
  problems: ["conflict"],
  async handler({ http: { env }, params: { accountId }, query: { part, cursor = null } }) {
    if (part === "records") {
      const { tables, next } = await callWithRetry(() => copyRows(env, accountId, cursor));
      return { value: { page: { part, schema: 0, tables }, nextCursor: next } };
    }
    const reply = await callWithRetry(() => objectOf(env, accountId, part).copy(cursor));
    if (reply.kind === "changed") {
      throw conflict("The part has changed meanwhile. Copy it again.");
    }
    const { schema, tables, next } = reply;
    return { value: { page: { part, schema, tables }, nextCursor: next } };
  },
});

const restore = route("POST", `${ACCOUNTS}/:accountId/restore`, {
  operationId: "restorePage",
  summary: "Restore a page of a backup",
  description:
    "Stores a page of a part of an account that this deployment does not have. What is restored does nothing until its part is opened. A repeat changes nothing. `ENCRYPTION_KEY` and `ID_KEY` must have the keys of the backed-up deployment, behind its own.",
  auth,
  body: jsonBody(restoreBody, exampleRestore, { maxBytes: MAX_PAGE_BYTES }),
  response: jsonResponse(200, "The page is stored.", openBody),
  problems: ["conflict"],
  async handler({ http: { env }, params: { accountId }, body: { backupId, keys, page } }) {
    if ((await overviewOf(env, accountId)) !== null)
      throw conflict(`The account ${accountId} exists in this deployment.`);
    const own = await keysOf(env);
    const lacking = keys.filter((key) => !own.includes(key));
    if (lacking.length > 0) {
      throw conflict(
        `This deployment lacks the keys ${lacking.join(", ")}. Add the other deployment's keys at the end of ENCRYPTION_KEY and ID_KEY, with a comma before them.`,
      );
    }
    if (page.part === "records") {
      await storeRecords(env, accountId, page.tables).catch((error: unknown) => {
        if (error instanceof RowsRefusedError) throw invalid("page.tables", "rows", error.message);
        return callOnce(() => Promise.reject(error));
      });
      return { value: { part: page.part } };
    }
    const { part } = page;
    const reply = await callOnce(() => objectOf(env, accountId, part).restore(backupId, page));
    if (reply === "newer") {
      throw conflict("A newer version stored this. Deploy that one first.");
    }
    if (reply === "unfit") throw invalid("page.tables", "rows", "must be rows of this part");
    // One that is in use was opened before the restore was interrupted: it has all of its pages.
    return { value: { part } };
  },
});

const open = route("POST", `${ACCOUNTS}/:accountId/restore/open`, {
  operationId: "openPart",
  summary: "Open a restored part",
  description: "Puts a restored part to work: hosts first, then inboxes, the account last.",
  auth,
  body: jsonBody(openBody, { part: "account" }),
  response: jsonResponse(200, "The part works.", openBody),
  async handler({ http: { env }, params: { accountId }, body: { part } }) {
    if (part !== "records") await callWithRetry(() => objectOf(env, accountId, part).open());
    return { value: { part } };
  },
});

/** Returns the parts of an account that are objects: those before know less than those after. */
async function objectsOf(env: CloudflareEnv, accountId: string): Promise<string[]> {
  const endpointIds = await callWithRetry(() => allEndpointIds(env.DB, accountId));
  const hosts = (await slotsOf(env, accountId)).map((slot) => `host/${slot}`);
  return [...endpointIds.map((id) => `inbox/${id}`), "account", ...hosts];
}

/** Returns the object of a part. */
function objectOf(env: CloudflareEnv, accountId: string, part: string): Copied {
  const [kind, name = ""] = part.split("/");
  if (kind === "inbox") return inboxStub(env, name);
  if (kind === "host") return slotHostStub(env, accountId, Number(name));
  return accountStub(env, accountId);
}

/** Returns the fingerprints of all keys, by which secrets are sealed and ids are signed. */
function keysOf(env: CloudflareEnv): Promise<string[]> {
  const { ENCRYPTION_KEY, ID_KEY } = settingsOf(env);
  return fingerprints([...ENCRYPTION_KEY, ...ID_KEY]);
}

async function slotsOf(env: CloudflareEnv, accountId: string): Promise<number[]> {
  const own = await callWithRetry(() => accountStub(env, accountId).executionIds());
  const slots = new Set<number>();
  for (let after: string | undefined = ""; after !== undefined; ) {
    const from = { after, limit: IDS };
    const ids: string[] = await callWithRetry(() => executionIdsAfter(env, accountId, own, from));
    for (const id of ids) slots.add(slotOf(id));
    after = ids.at(-1);
  }
  return [...slots];
}

/** Objects that are called at the same time. */
const CONCURRENCY = 4;

/** Sets the objects of an account back in time. */
const timeTravel = route("POST", `${ACCOUNTS}/:accountId/time-travel`, {
  operationId: "timeTravel",
  summary: "Set an account back in time",
  description:
    "Restores the account, its endpoints' logs and its executions to what Cloudflare kept of a time, and continues from there. Effects that were confirmed since are kept in a list: an execution that comes to one again is told, and does not repeat it. Asks every object first and changes nothing if one refuses, as those of a local service do. Suspend the account before, and set D1 back first if it is set back as well.",
  auth,
  body: jsonBody(timeTravelBody, { to: "2026-11-20T09:00:00Z", dryRun: true }),
  response: jsonResponse(200, "What went back, or with `dryRun` would.", timeTravelled),
  problems: ["conflict"],
  async handler({ http: { env }, params: { accountId }, body }) {
    const to = Date.parse(body.to);
    if (to >= Date.now()) throw invalid("to", "past", "must be in the past");
    if ((await overviewOf(env, accountId)) === null) throw notFound();
    const names = (await objectsOf(env, accountId)).reverse();
    const asked = await mapConcurrently(CONCURRENCY, names, async (part) => ({
      part,
      reply: await callWithRetry(() =>
        objectOf(env, accountId, part).goBack(to, { accountId, dryRun: true }),
      ),
    }));
    if (body.dryRun) {
      const effects = asked.flatMap(({ reply }) => (reply.kind === "ready" ? reply.effects : []));
      const parts = asked.map(({ part, reply }) => stateOf(part, reply));
      return { value: { dryRun: true, parts, effects } };
    }
    for (const { part, reply } of asked) {
      if (reply.kind === "ready") continue;
      throw conflict(`Nothing was set back, because ${part} refuses: ${reply.reason}`);
    }
    // Hosts first: what the account and the inboxes start anew finds them as they were.
    const parts = await mapConcurrently(CONCURRENCY, names, (part) =>
      setBack(env, accountId, part, to),
    );
    await callWithRetry(() => forgetExecutionsSince(env, accountId, to));
    for (const { part } of parts.filter(({ state }) => state === "restored")) {
      await callWithRetry(() => objectOf(env, accountId, part).open(true));
    }
    const effects = await callWithRetry(() => keptEffectsOf(env.DB, accountId));
    return { value: { dryRun: false, parts, effects } };
  },
});

export const backupRoutes = [plan, read, restore, open, timeTravel];

async function setBack(env: CloudflareEnv, accountId: string, part: string, to: number) {
  try {
    const options = { accountId, dryRun: false };
    return stateOf(part, await objectOf(env, accountId, part).goBack(to, options));
  } catch (error) {
    if (wentBack(error)) return { part, state: "restored" as const, reason: null };
    logWarning("part not set back", { accountId, part }, error);
    return stateOf(part, { kind: "refused", reason: "The object did not answer." });
  }
}

function stateOf(part: string, reply: GoBackReply) {
  return { part, state: reply.kind, reason: reply.kind === "ready" ? null : reply.reason };
}

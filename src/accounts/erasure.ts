import { type TableSql, textsOf } from "../durable/rows.ts";
import { inboxStub, slotHostStub } from "../durable/stubs.ts";
import { mapConcurrently, within } from "../lib/async.ts";
import { slotOf } from "../lib/execution-id.ts";
import { deleteAccountRows } from "../records/accounts.ts";
import { allDatabases, databaseNamed } from "../records/databases.ts";
import { allEndpointIds, deleteEndpointRows } from "../records/endpoints.ts";
import { deleteExecutions, executionIdsIn } from "../records/executions.ts";
import type { Controls } from "./controls.ts";

const TIMEOUT_MS = 15_000;
const PAGE = 1_000;
const ENDPOINTS = 100;
const CALLS_AT_ONCE = 8;
/** Calls that were under way when the erasure began have arrived by then. */
const GRACE_MS = 1_000;

/** What the erasure of an account needs. */
export interface ErasureComponents {
  env: CloudflareEnv;
  sql: TableSql;
  accountId: string;
  controls: Controls;
  /** Whether calls of the account to its hosts are under way. */
  isStarting(): boolean;
}

/**
 * Erases all that an account has outside of its own object: its sessions, inboxes and rows, until a time in
 * epoch milliseconds. Returns whether nothing is left. It can be repeated after any crash: a row goes only
 * after what it leads to.
 */
export async function eraseAccount(erasure: ErasureComponents, until: number): Promise<boolean> {
  const { env, accountId, controls, isStarting } = erasure;
  const begun = controls.erasure;
  if (begun === null || controls.isUnpublished || isStarting()) return false;
  if (Date.now() < Date.parse(begun.startedAt) + GRACE_MS) return false;
  const erased = new Set<number>();
  await eraseHosts(erasure, slotsHere(erasure.sql), erased);
  for (const name of allDatabases(env)) {
    const db = databaseNamed(env, name);
    const erase = () => eraseExecutions(erasure, db, erased);
    if (!(await eraseAll(controls, "executions", erase, until))) return false;
  }
  if (!(await eraseAll(controls, "endpoints", () => eraseEndpoints(erasure), until))) return false;
  await within("D1", TIMEOUT_MS, deleteAccountRows(env.DB, accountId));
  return true;
}

/** Returns the slots of the executions that the account knows, and of the hosts that reported to it. */
function slotsHere(sql: TableSql): number[] {
  const known = textsOf(sql, "SELECT execution_id FROM executions");
  const used = "SELECT source FROM storage_use WHERE source LIKE 'host/%'";
  return [
    ...known.map(slotOf),
    ...textsOf(sql, used).map((source) => Number(source.slice("host/".length))),
  ];
}

async function eraseHosts(
  { env, accountId }: ErasureComponents,
  slots: readonly number[],
  erased: Set<number>,
): Promise<void> {
  const left = [...new Set(slots)].filter((slot) => !erased.has(slot));
  await mapConcurrently(CALLS_AT_ONCE, left, async (slot) => {
    await within("the host", TIMEOUT_MS, slotHostStub(env, accountId, slot).erase());
    erased.add(slot);
  });
}

/** Erases some, again and again, and counts them. Returns whether none are left. */
async function eraseAll(
  controls: Controls,
  kind: "executions" | "endpoints",
  eraseSome: () => Promise<number>,
  until: number,
): Promise<boolean> {
  while (Date.now() < until) {
    const count = await eraseSome();
    if (count === 0) return true;
    const progress = controls.erasure;
    if (progress === null) return false;
    controls.erasing({ ...progress, [kind]: progress[kind] + count });
  }
  return false;
}

/** Erases some of the executions in a database, and returns how many. */
async function eraseExecutions(
  erasure: ErasureComponents,
  db: D1Database,
  erased: Set<number>,
): Promise<number> {
  const { accountId } = erasure;
  const page = executionIdsIn(db, accountId, { after: "", limit: PAGE });
  const ids = await within("D1", TIMEOUT_MS, page);
  if (ids.length === 0) return 0;
  await eraseHosts(erasure, ids.map(slotOf), erased);
  await within("D1", TIMEOUT_MS, deleteExecutions(db, accountId, ids));
  return ids.length;
}

/** Erases some of the endpoints, and returns how many. */
async function eraseEndpoints({ env, accountId }: ErasureComponents): Promise<number> {
  const all = await within("D1", TIMEOUT_MS, allEndpointIds(env.DB, accountId));
  if (all.length === 0) return 0;
  const ids = all.slice(0, ENDPOINTS);
  await mapConcurrently(CALLS_AT_ONCE, ids, (endpointId) =>
    within("the inbox", TIMEOUT_MS, inboxStub(env, endpointId).erase()),
  );
  await within("D1", TIMEOUT_MS, deleteEndpointRows(env.DB, ids));
  return ids.length;
}

import * as z from "zod";
import { violationLine } from "../contract/problem.ts";
import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import type {
  InboxApi,
  LoggedRequest,
  ReplayItem,
  ReplayOptions,
  ReplayResult,
} from "../contract/webhooks/inbox.ts";
import { failedAuthentication, type RequestStatus } from "../contract/webhooks/log.ts";
import type { StageError } from "../contract/webhooks/payload.ts";
import { rowShape, rowsOf, textsOf } from "../durable/rows.ts";
import { reevaluate } from "../intake/logged.ts";
import { replay } from "../intake/replay.ts";
import { decisionsOf, isAttached, routesOf } from "../intake/routing/routes.ts";
import { configThen } from "../records/config-then.ts";
import { RevisionUnavailable } from "../records/revisions.ts";
import type { Components } from "./components.ts";

interface ReplayContext {
  sql: SqlStorage;
  database: D1Database;
  components: Pick<Components, "reader" | "configs" | "batcher">;
  inbox: Pick<InboxApi, "acceptBatch" | "configure">;
}

const positionRow = rowShape({ requestId: z.string(), receivedAt: z.int(), seq: z.int() });

/** Returns which of these requests are no replays, or all of them. */
export function replayable(
  sql: SqlStorage,
  requestIds: readonly string[],
  includeReplays: boolean,
) {
  const query = `SELECT request_id, received_at, seq FROM requests
    WHERE request_id IN (SELECT value FROM json_each(?1))
      AND (?2 OR facts ->> 'replayOf' IS NULL)`;
  return rowsOf(sql, positionRow, query, JSON.stringify(requestIds), Number(includeReplays));
}

/**
 * Replays requests one after the other, in their order, or only says what would become of them. Returns the
 * results of the first ones: those that follow must wait.
 */
export async function replayEach(
  context: ReplayContext,
  items: readonly ReplayItem[],
  options: ReplayOptions,
): Promise<ReplayResult[]> {
  const results: ReplayResult[] = [];
  for (const item of items) {
    // While requests arrive faster than executions can start.
    const isBusy = context.components.batcher.isBusy(Date.now());
    if (item.replayId !== null && isBusy) return results;
    const result = await replayOne(context, item, options);
    if (result === "later") return results;
    results.push(result);
  }
  return results;
}

async function replayOne(
  { sql, database, components, inbox }: ReplayContext,
  { requestId, replayId }: ReplayItem,
  { revision, repeatSucceeded, isNamed }: ReplayOptions,
): Promise<ReplayResult | "later"> {
  const { reader, configs } = components;
  const refuse = (reason: string) => refusal(requestId, reason);
  const skip = (reason: string): ReplayResult => ({ ...refuse(reason), verdict: "skip" });
  // An earlier process may have replayed it already.
  const made = replayId === null ? null : reader.entry(replayId);
  if (made !== null) return resultOf(made.entry.status, requestId);
  const original = reader.entry(requestId);
  if (original === null) return refuse("It is no longer in the log.");
  const { entry, request } = original;
  if (entry.status === "succeeded" && !repeatSucceeded) return skip("It succeeded.");
  if (!isNamed && NEEDLESS.includes(entry.status)) return skip(`Its status is ${entry.status}.`);
  const again = replayStatus(sql, requestId);
  if (again !== null)
    return skip(again === "succeeded" ? "A replay of it succeeded." : "A replay of it is running.");
  if (request.bodyTruncated) return refuse("The log has only the beginning of its body.");
  const config = configs.current;
  if (config.deleted) return refuse("The endpoint is deleted.");
  if (failedAuthentication(entry, config.auth))
    return refuse("It did not pass authentication, so anyone can have sent it.");
  let earlier: EndpointConfig | null = null;
  try {
    if (revision === "then") earlier = await configThen(database, config, entry);
  } catch (error) {
    if (error instanceof RevisionUnavailable) return refuse(error.message);
    throw error;
  }
  if (replayId === null) return foretold(earlier ?? config, original);
  const as = { requestId: replayId, receivedAt: Date.now(), edited: null, earlier };
  const taken = await replay(config, original, as, inbox);
  if (taken.kind === "gone") return refuse("The endpoint is deleted.");
  if (taken.kind !== "decided") return "later";
  const stored = reader.entry(replayId);
  return stored === null ? "later" : resultOf(stored.entry.status, requestId);
}

/** Requests in these statuses are replayed only if a query names them. */
const NEEDLESS: readonly RequestStatus[] = ["queued", "running", "duplicate"];

function refusal(requestId: string, reason: string, errors: StageError[] = []): ReplayResult {
  return { requestId, verdict: "refuse", reason, errors, workflowIds: [] };
}

function start(requestId: string, workflowIds: string[]): ReplayResult {
  return { requestId, verdict: "start", reason: null, errors: [], workflowIds };
}

function resultOf(status: string, requestId: string): ReplayResult {
  if (status === "rejected") return refusal(requestId, "It was rejected again.");
  if (status === "unrouted") return refusal(requestId, "No route matches it.");
  return start(requestId, []);
}

/** Says what would become of a replay. */
async function foretold(config: EndpointConfig, logged: LoggedRequest): Promise<ReplayResult> {
  const { requestId } = logged.request;
  const [{ admission }] = await reevaluate(config, logged);
  const { verdict } = admission;
  if (verdict.kind === "refuse") {
    const { errors } = verdict.refusal;
    const [first = { message: "It would be rejected." }] = errors;
    return refusal(requestId, violationLine(first), errors);
  }
  if (verdict.kind === "handshake") return start(requestId, []);
  if (!isAttached(config)) return { ...start(requestId, []), reason: "It would start nothing." };
  const names = decisionsOf(verdict).flatMap(({ name, matched }) => (matched ? name : []));
  if (names.length === 0) return refusal(requestId, "No route matches it.");
  const started = routesOf(config).filter(({ name }) => names.includes(name));
  const workflowIds = started.flatMap(({ workflow }) => workflow?.workflowId ?? []);
  return start(requestId, workflowIds);
}

/** Returns the status of a replay of a request, or of one of its replays, that succeeded or may; else null. */
function replayStatus(sql: SqlStorage, requestId: string): string | null {
  const query = `WITH RECURSIVE again(request_id, status) AS (
      SELECT request_id, status FROM requests
      WHERE facts ->> 'replayOf' = ?1 AND facts ->> 'replayOf' IS NOT NULL
      UNION
      SELECT next.request_id, next.status FROM again JOIN requests AS next
        ON next.facts ->> 'replayOf' = again.request_id AND next.facts ->> 'replayOf' IS NOT NULL
    )
    SELECT status FROM again WHERE status IN ('succeeded', 'running', 'queued')
    ORDER BY status DESC LIMIT 1`;
  return textsOf(sql, query, requestId)[0] ?? null;
}

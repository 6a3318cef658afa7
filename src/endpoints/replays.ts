import * as z from "zod";
import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import type {
  InboxApi,
  LoggedRequest,
  ReplayItem,
  ReplayOptions,
  ReplayOutcome,
} from "../contract/webhooks/inbox.ts";
import { failedAuthentication } from "../contract/webhooks/log.ts";
import type { StageError } from "../contract/webhooks/payload.ts";
import { firstRow, rowsOf } from "../durable/rows.ts";
import { reevaluate } from "../intake/reevaluate.ts";
import { replay } from "../intake/replay.ts";
import { isAttached, OWN_ROUTE } from "../intake/routing/routes.ts";
import { configThen } from "../records/config-then.ts";
import { RevisionUnavailable } from "../records/revisions.ts";
import type { LogReader } from "./log-reader.ts";

interface ReplayContext {
  sql: SqlStorage;
  database(): D1Database;
  reader: Pick<LogReader, "entry">;
  config(): EndpointConfig;
  /** Whether requests arrive faster than executions can start. */
  isBusy(): boolean;
  inbox: Pick<InboxApi, "accept" | "configure">;
}

const namedRow = z.object({ request_id: z.string(), received_at: z.int() });
const statusRow = z.object({ status: z.string() });

/** Returns which of these requests are no replays, or all of them. */
export function replayable(
  sql: SqlStorage,
  requestIds: readonly string[],
  includeReplays: boolean,
) {
  const query = `SELECT request_id, received_at FROM requests
    WHERE request_id IN (SELECT value FROM json_each(?1))
      AND (?2 OR facts ->> 'replayOf' IS NULL)`;
  const rows = rowsOf(sql, namedRow, query, JSON.stringify(requestIds), Number(includeReplays));
  return rows.map((row) => ({ requestId: row.request_id, receivedAt: row.received_at }));
}

/**
 * Replays requests one after the other, in their order, or only says what would become of them. Returns the
 * outcomes of the first ones: those that follow must wait.
 */
export async function replayEach(
  context: ReplayContext,
  items: readonly ReplayItem[],
  options: ReplayOptions,
): Promise<ReplayOutcome[]> {
  const outcomes: ReplayOutcome[] = [];
  for (const item of items) {
    if (item.replayId !== null && context.isBusy()) return outcomes;
    const outcome = await replayOne(context, item, options);
    if (outcome === "later") return outcomes;
    outcomes.push(outcome);
  }
  return outcomes;
}

async function replayOne(
  context: ReplayContext,
  { requestId, replayId }: ReplayItem,
  { revision, repeatSucceeded }: ReplayOptions,
): Promise<ReplayOutcome | "later"> {
  const { reader } = context;
  const refuse = (reason: string, errors: StageError[] = []): ReplayOutcome => {
    return { requestId, verdict: "refuse", reason, errors, workflowIds: [] };
  };
  const skip = (reason: string): ReplayOutcome => ({ ...refuse(reason), verdict: "skip" });
  // An earlier process may have replayed it already.
  const made = replayId === null ? null : reader.entry(replayId);
  if (made !== null) return outcomeOf(made.entry.status, refuse, requestId);
  const original = reader.entry(requestId);
  if (original === null) return refuse("It is no longer in the log.");
  const { entry, request } = original;
  if (entry.status === "succeeded" && !repeatSucceeded) return skip("It succeeded.");
  const again = replayStatus(context.sql, requestId);
  if (again !== null)
    return skip(again === "succeeded" ? "A replay of it succeeded." : "A replay of it is running.");
  if (request.bodyTruncated) return refuse("The log has only the beginning of its body.");
  const config = context.config();
  if (config.deleted) return refuse("The endpoint is deleted.");
  if (failedAuthentication(entry, config.auth))
    return refuse("It did not pass authentication, so anyone can have sent it.");
  let earlier: EndpointConfig | null = null;
  try {
    if (revision === "then") earlier = await configThen(context.database(), config, entry);
  } catch (error) {
    if (error instanceof RevisionUnavailable) return refuse(error.message);
    throw error;
  }
  if (replayId === null) return foretold(earlier ?? config, original, refuse);
  const receivedAt = Date.now();
  const as = { requestId: replayId, receivedAt, edited: null, earlier };
  const taken = await replay(config, original, as, context.inbox);
  if (taken.kind === "gone") return refuse("The endpoint is deleted.");
  if (taken.kind !== "decided") return "later";
  const stored = reader.entry(replayId);
  return stored === null ? "later" : outcomeOf(stored.entry.status, refuse, requestId);
}

type Refuse = (reason: string, errors?: StageError[]) => ReplayOutcome;

function outcomeOf(status: string, refuse: Refuse, requestId: string): ReplayOutcome {
  if (status === "rejected") return refuse("It was rejected again.");
  if (status === "unrouted") return refuse("No route matches it.");
  return { requestId, verdict: "start", reason: null, errors: [], workflowIds: [] };
}

/** Says what would become of a replay. */
async function foretold(
  config: EndpointConfig,
  { request }: LoggedRequest,
  refuse: Refuse,
): Promise<ReplayOutcome> {
  const { verdict } = await reevaluate(config, request);
  if (verdict.kind === "refuse") {
    const { errors } = verdict.refusal;
    return refuse(errors[0]?.message ?? "It would be rejected.", errors);
  }
  const { requestId } = request;
  const start = { requestId, verdict: "start" as const, reason: null, errors: [] };
  if (verdict.kind === "handshake" || !isAttached(config)) return { ...start, workflowIds: [] };
  const matched = verdict.routes?.filter((route) => route.matched) ?? null;
  if (matched === null) return { ...start, workflowIds: workflowsOf(config, [OWN_ROUTE]) };
  if (matched.length === 0) return refuse("No route matches it.");
  const names = matched.map(({ name }) => name);
  return { ...start, workflowIds: workflowsOf(config, names) };
}

function workflowsOf({ workflow, routing }: EndpointConfig, names: readonly string[]): string[] {
  const started =
    routing === null
      ? [workflow]
      : routing.routes.filter(({ name }) => names.includes(name)).map((route) => route.workflow);
  return started.flatMap((each) => each?.workflowId ?? []);
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
  return firstRow(sql, statusRow, query, requestId)?.status ?? null;
}

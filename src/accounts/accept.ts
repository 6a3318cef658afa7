import type {
  PromisedExecution,
  SeedDraft,
  StartRequest,
  StartResult,
} from "../contract/account.ts";
import type { Quota } from "../contract/operators.ts";
import type { Idempotency } from "../contract/session.ts";
import { slotOf, withSlot } from "../lib/execution-id.ts";
import type { Components } from "./components.ts";
import type { GrantedDraft } from "./ledger.ts";
import { thatDo } from "./quota-use.ts";

/** A request for an execution, by a caller whose key allows it. */
interface AcceptRequest extends StartRequest {
  isRepeat: boolean;
  keyId: string;
}

/** Accepts each of several requests that came as one, or none if the key of the `whole` was used for another one. */
export function acceptRequests(
  components: Components,
  requests: readonly AcceptRequest[],
  whole: Idempotency | null,
  now: number,
): { results: StartResult[]; accepted: string[] } {
  if (whole !== null && components.ledger.hasOtherBatch(whole))
    return { results: [{ kind: "key_reused" }], accepted: [] };
  const done = requests.map((request) => acceptRequest(components, request, now));
  return {
    results: done.map(({ result }) => result),
    accepted: done.flatMap(({ accepted }) => accepted),
  };
}

/**
 * Accepts an execution within the quotas, the tools and the balance of its account, or repeats the answer of
 * an earlier request. `accepted` has the ids of new executions.
 */
function acceptRequest(
  components: Components,
  { draft, idempotency, unslottedId, isRepeat, keyId }: AcceptRequest,
  now: number,
): { result: StartResult; accepted: string[] } {
  const { ledger, hostLoads, placements } = components;
  const refuse = (result: StartResult) => ({ result, accepted: [] });
  const before = ledger.repeat(idempotency, unslottedId, isRepeat);
  if (before.kind === "reused") return refuse({ kind: "key_reused" });
  if (before.kind === "same") return refuse({ kind: "accepted", ...before.acceptance });

  const reached = quotaReachedBy(components);
  if (reached !== null) return refuse({ kind: "quota_reached", ...reached });
  const missing = missingFor(components, draft);
  if (missing !== null) return refuse(missing);
  const failing = thatDo("fail", draft.limits);
  const over = components.limitUse.reached(failing, now);
  if (over !== null) return refuse({ kind: "limit_reached", message: over });
  const asking = thatDo("ask", draft.limits);
  const toApprove = components.limitUse.reached(asking, now);
  const { fork } = draft;
  // A fork lives where the execution is that it continues.
  const [slot = 0] = fork === undefined ? hostLoads.next(1) : [slotOf(fork.executionId)];
  const executionId = withSlot(unslottedId, slot);
  const whole = {
    ...grant(components, draft),
    ...placements.ofRow(executionId),
    keyId,
    ...(toApprove !== null && { limitToApprove: toApprove }),
  };
  const acceptance = ledger.accept(whole, idempotency, { now, executionId });
  if ("kind" in acceptance) {
    const { needed, available } = acceptance;
    return refuse({ kind: "insufficient_credits", needed, available });
  }
  components.limitUse.start(executionId, [...failing, ...asking], now);
  return { result: { kind: "accepted", ...acceptance }, accepted: [executionId] };
}

/** Accepts executions that an inbox or a schedule promised. Returns the ids of those that are new. */
export function acceptPromised(
  components: Components,
  runs: readonly PromisedExecution[],
  now: number,
): string[] {
  const { ledger, placements, limitUse } = components;
  const granted = runs.map(({ draft, ...run }) => {
    const place = placements.ofRow(run.executionId);
    const failing = thatDo("fail", draft.limits);
    const asking = thatDo("ask", draft.limits);
    const over = limitUse.newlyReached(run.executionId, failing, now);
    const toApprove = limitUse.newlyReached(run.executionId, asking, now);
    if (over === null) limitUse.start(run.executionId, [...failing, ...asking], now);
    const { limits: _, ...unlimited } = draft;
    const limited =
      over === null
        ? { ...draft, ...(toApprove !== null && { limitToApprove: toApprove }) }
        : { ...unlimited, limitReached: over };
    return { ...run, draft: { ...grant(components, limited), ...place } };
  });
  return ledger.acceptBatch(granted, now);
}

/** Returns the quota that keeps an account from another execution, or null. */
function quotaReachedBy(components: Components): { quota: Quota; limit: number } | null {
  const { ledger, controls, storageUse } = components;
  const { activeExecutions, storedBytes } = controls.quotas;
  if (ledger.live >= activeExecutions)
    return { quota: "activeExecutions", limit: activeExecutions };
  return storageUse.total < storedBytes ? null : { quota: "storedBytes", limit: storedBytes };
}

type Missing = Extract<
  StartResult,
  { kind: "unknown_mcp_server" | "unknown_connection" | "unusable_model" }
>;

/** Returns what a draft names and the account lacks, or null. */
function missingFor(
  { mcpServers, connections, modelProviders }: Components,
  draft: SeedDraft,
): Missing | null {
  for (const field of ["tools", "approvals"] as const) {
    const server = mcpServers.missing(draft[field] ?? []);
    if (server !== null) return { kind: "unknown_mcp_server", field, server };
  }
  const name = connections.missing(draft.connections);
  if (name !== null) return { kind: "unknown_connection", name };
  const unusable = modelProviders.unusable(draft);
  return unusable && { kind: "unusable_model", ...unusable };
}

/** Returns a draft with what it names, without the servers and providers that the account no longer has. */
function grant(
  { mcpServers, connections, modelProviders, controls }: Components,
  { connections: names, isDefaultModel, ...draft }: SeedDraft,
): GrantedDraft {
  const { emailRecipients, googleSheets } = controls.current;
  return {
    ...draft,
    ...mcpServers.grant(draft.tools),
    ...modelProviders.grantKnown({ ...draft, ...(isDefaultModel && { isDefaultModel }) }),
    connections: connections.references(names),
    emailRecipients,
    googleSheets,
  };
}

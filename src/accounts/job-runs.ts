import type { PromisedExecution } from "../contract/account.ts";
import { inboxStub, sessionHostStub } from "../durable/stubs.ts";
import { within } from "../lib/async.ts";
import { logWarning } from "../lib/log.ts";
import { draftOfFork } from "../workflows/draft.ts";
import type { Components } from "./components.ts";
import type { ItemOutcome, JobItem, JobPortion } from "./jobs.ts";

const CALL_TIMEOUT_MS = 30_000;
/** When a suspended account is looked at again. */
const SUSPENDED_MS = 60_000;

/** What starting items needs of their account. */
interface JobContext {
  env: CloudflareEnv;
  components(): Components;
  acceptBatch(runs: PromisedExecution[]): Promise<unknown>;
}

const OUTCOMES = { start: "started", skip: "skipped", refuse: "refused" } as const;

/** Starts the next items of the account's replays and retries. A repeat starts nothing again. */
export async function runJobs(context: JobContext): Promise<number | null> {
  const { jobs, controls } = context.components();
  if (controls.erasure !== null || jobs.nextLook() === null) return null;
  if (controls.status !== "active") return Date.now() + SUSPENDED_MS;
  for (const { jobId, settings, items } of jobs.promise(Date.now())) {
    try {
      if (settings.kind === "replay") await replayItems(context, { jobId, settings, items });
      else await retryItems(context, { jobId, settings, items });
    } catch (error) {
      logWarning("items of a job not started", { jobId }, error);
    }
  }
  return jobs.nextLook();
}

/** Replays requests, those of each endpoint in their order. */
async function replayItems(
  { env, components }: JobContext,
  { jobId, settings, items }: JobPortion,
): Promise<void> {
  const options = {
    revision: settings.kind === "replay" ? settings.revision : "now",
    repeatSucceeded: settings.kind === "replay" && settings.repeatSucceeded,
  } as const;
  for (const [endpointId, ofEndpoint] of Map.groupBy(items, (item) => item.endpointId ?? "")) {
    const named = ofEndpoint.map(({ id, madeId }) => ({ requestId: id, replayId: madeId }));
    const outcomes = await within(
      "the inbox",
      CALL_TIMEOUT_MS,
      inboxStub(env, endpointId).replay(named, options),
    );
    const settled = outcomes.flatMap(({ verdict }, at): [number, ItemOutcome][] => {
      const place = ofEndpoint[at]?.place;
      return place === undefined ? [] : [[place, OUTCOMES[verdict]]];
    });
    components().jobs.settle(jobId, new Map(settled), Date.now());
  }
}

async function retryItems(
  context: JobContext,
  { jobId, settings, items }: JobPortion,
): Promise<void> {
  const afterStep = settings.kind === "retry" && settings.from === "start" ? 0 : null;
  for (const item of items) {
    const outcome = await retryItem(context, item, afterStep);
    context.components().jobs.settle(jobId, new Map([[item.place, outcome]]), Date.now());
  }
}

async function retryItem(
  { env, components, acceptBatch }: JobContext,
  { id, madeId }: JobItem,
  afterStep: number | null,
): Promise<ItemOutcome> {
  const { accountId } = components().ledger.record();
  const query = { afterStep, acknowledgeUncertain: false, retry: { forkId: madeId } };
  const host = sessionHostStub(env, accountId, id);
  const reply = await within("the session", CALL_TIMEOUT_MS, host.fork(id, query));
  if (reply.kind === "continued") return "skipped";
  if (reply.kind !== "ready") return "refused";
  if (reply.isCompleted) return "skipped";
  await acceptBatch([{ executionId: madeId, draft: draftOfFork(reply, {}) }]);
  return "started";
}

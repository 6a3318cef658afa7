import { type InboundMessage, inboundMessage, type WorkBatch } from "../contract/inbound/inbox.ts";
import type { StageError } from "../contract/inbound/payload.ts";
import { DeadlineError } from "../lib/async.ts";
import { logError } from "../lib/log.ts";
import { acknowledge, failed, readWork, startBatch } from "./start.ts";

/** Seconds before a message is seen again, by how often it was seen: eight minutes in all. */
const RETRY_SECONDS = [2, 8, 32, 128];
const LAST_RETRY_SECONDS = 300;
const DEAD_RETRY_SECONDS = 30;

/** Messages of one endpoint, with the requests that they name. */
interface Letters {
  endpointId: string;
  requestIds: string[];
  messages: Message[];
}

/**
 * Consumes the inbound queue: starts what still waits of the requests that its messages name. A message
 * is acknowledged only once the account has the runs and the inbox knows it, so it may come again, late
 * or twice; what was started meanwhile is not in the batch any more.
 */
export async function handleInboundBatch(batch: MessageBatch, env: CloudflareEnv): Promise<void> {
  await Promise.all(lettersOf(batch).map((letters) => start(letters, env)));
}

/**
 * Consumes the dead letters of the inbound queue. Each request has one more try, on its own, since one
 * that cannot be started holds up those beside it; then it has failed, and its log entry says so.
 */
export async function handleDeadInbound(batch: MessageBatch, env: CloudflareEnv): Promise<void> {
  await Promise.all(lettersOf(batch).map((letters) => giveUp(letters, env)));
}

async function start({ endpointId, requestIds, messages }: Letters, env: CloudflareEnv) {
  try {
    for (let more = true; more; ) {
      const batch = await readWork(env, endpointId, requestIds);
      await startBatch(env, endpointId, batch);
      more = batch.more;
    }
    for (const message of messages) message.ack();
  } catch (error) {
    logError("requests not started", { endpointId }, error);
    for (const message of messages) {
      message.retry({ delaySeconds: RETRY_SECONDS[message.attempts - 1] ?? LAST_RETRY_SECONDS });
    }
  }
}

async function giveUp({ endpointId, requestIds, messages }: Letters, env: CloudflareEnv) {
  try {
    for (let more = true; more; ) {
      const batch = await readWork(env, endpointId, requestIds);
      const single = batch.items.map((item) => ({ ...batch, items: [item] }));
      await startEach(single, endpointId, env);
      more = batch.more;
    }
    for (const message of messages) message.ack();
  } catch (error) {
    logError("dead letter not told", { endpointId }, error);
    for (const message of messages) message.retry({ delaySeconds: DEAD_RETRY_SECONDS });
  }
}

/** In their order as long as the account answers; behind one that is late, all others are tried at once. */
async function startEach(batches: WorkBatch[], endpointId: string, env: CloudflareEnv) {
  for (const [at, batch] of batches.entries()) {
    const isLate = (await startOrFail(batch, endpointId, env)) instanceof DeadlineError;
    if (!isLate) continue;
    await Promise.all(batches.slice(at + 1).map((one) => startOrFail(one, endpointId, env)));
    return;
  }
}

/** Answers why it failed, if it did. */
async function startOrFail(
  batch: WorkBatch,
  endpointId: string,
  env: CloudflareEnv,
): Promise<unknown> {
  try {
    await startBatch(env, endpointId, batch);
    return null;
  } catch (error) {
    logError("request given up", { endpointId }, error);
    const message = `The start failed again and again, the last time because ${reasonOf(error)}.`;
    const errors: StageError[] = [{ stage: "start", rule: "dead_letter", message }];
    const outcomes = batch.items.map(({ requestId }) => failed(requestId, errors));
    await acknowledge(env, endpointId, outcomes);
    return error;
  }
}

/** What of an error is fit to be shown to others. */
function reasonOf(error: unknown): string {
  return error instanceof DeadlineError ? error.message : "something went wrong on our side";
}

/** Gathers a batch by endpoints: all that one call can start need not be many. */
function lettersOf({ messages }: MessageBatch): Letters[] {
  const found = new Map<string, Letters>();
  for (const message of messages) {
    const parsed = inboundMessage.safeParse(message.body);
    if (!parsed.success) {
      logError("inbound message not understood", { messageId: message.id });
      message.ack();
      continue;
    }
    const { endpointId, requestIds }: InboundMessage = parsed.data;
    const letters = found.get(endpointId) ?? { endpointId, requestIds: [], messages: [] };
    letters.requestIds.push(...requestIds);
    letters.messages.push(message);
    found.set(endpointId, letters);
  }
  return [...found.values()];
}

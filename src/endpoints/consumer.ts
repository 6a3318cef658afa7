import type { InboundMessage, WorkBatch } from "../contract/webhooks/inbox.ts";
import type { StageError } from "../contract/webhooks/payload.ts";
import { DeadlineError } from "../lib/async.ts";
import { logError } from "../lib/log.ts";
import { acknowledge, failed, readWork, startBatch } from "./start.ts";

/** Seconds before a message is retried, by its attempts: eight minutes in all. */
const RETRY_SECONDS = [2, 8, 32, 128];
const LAST_RETRY_SECONDS = 300;
const DEAD_RETRY_SECONDS = 30;

/** The messages of one endpoint, with the requests that they name. */
interface EndpointMessages {
  endpointId: string;
  requestIds: string[];
  messages: Message<InboundMessage>[];
}

type Consumer = (messages: Message<InboundMessage>[], env: CloudflareEnv) => Promise<void>;

/**
 * Consumes the inbound queue: starts the pending requests that its messages name. Acknowledges a message
 * only after the account has accepted the executions and the inbox has recorded it. Messages may arrive
 * late or twice: the inbox no longer returns what is started.
 */
export const handleInbound: Consumer = (messages, env) =>
  startAll(messages, env, startBatch, afterFailure);

const afterFailure = ({ attempts }: Message) => RETRY_SECONDS[attempts - 1] ?? LAST_RETRY_SECONDS;

/**
 * Consumes the dead letters of the inbound queue. Starts each request once more, on its own, because one
 * that cannot start blocks the others of its message. Marks it failed in the log if that fails too.
 */
export const handleDeadInbound: Consumer = (messages, env) =>
  startAll(messages, env, startEach, () => DEAD_RETRY_SECONDS);

/** Starts what messages name, and acknowledges them or has them retried after some seconds. */
async function startAll(
  all: Message<InboundMessage>[],
  env: CloudflareEnv,
  startWork: typeof startBatch,
  retrySeconds: (message: Message) => number,
) {
  async function start({ endpointId, requestIds, messages }: EndpointMessages) {
    try {
      for (let more = true; more; ) {
        const batch = await readWork(env, endpointId, requestIds);
        await startWork(env, endpointId, batch);
        more = batch.more;
      }
      for (const message of messages) message.ack();
    } catch (error) {
      logError("requests not started", { endpointId }, error);
      for (const message of messages) message.retry({ delaySeconds: retrySeconds(message) });
    }
  }
  await Promise.all(messagesByEndpoint(all).map(start));
}

/** Starts the items in order while the account answers; after a timeout, starts all others at once. */
async function startEach(env: CloudflareEnv, endpointId: string, batch: WorkBatch) {
  const single = batch.items.map((item) => ({ ...batch, items: [item] }));
  for (const [at, one] of single.entries()) {
    const isLate = (await startOrFail(env, endpointId, one)) instanceof DeadlineError;
    if (!isLate) continue;
    await Promise.all(single.slice(at + 1).map((each) => startOrFail(env, endpointId, each)));
    return;
  }
}

/** Returns the error, or null if the start succeeded. */
async function startOrFail(
  env: CloudflareEnv,
  endpointId: string,
  batch: WorkBatch,
): Promise<unknown> {
  try {
    await startBatch(env, endpointId, batch);
    return null;
  } catch (error) {
    logError("request failed for good", { endpointId }, error);
    // The log shows senders no internal message.
    const reason = error instanceof DeadlineError ? error.message : "internal error";
    const message = `The execution could not be started after several attempts: ${reason}.`;
    const errors: StageError[] = [{ stage: "start", rule: "dead_letter", message }];
    const acknowledgements = batch.items.map((item) => failed(item, errors));
    await acknowledge(env, endpointId, acknowledgements);
    return error;
  }
}

/** Groups messages by endpoint, so that one call starts as many as possible. */
function messagesByEndpoint(messages: Message<InboundMessage>[]): EndpointMessages[] {
  const groups = Map.groupBy(messages, ({ body }) => body.endpointId);
  return [...groups].map(([endpointId, all]) => {
    const requestIds = all.flatMap(({ body }) => body.requestIds);
    return { endpointId, requestIds, messages: all };
  });
}

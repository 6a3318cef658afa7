import { randomBytes, randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { PrompthookError } from "../../src/client/error.ts";
import type { Prompthook } from "../../src/client/prompthook.ts";
import type { ExecutionEvent } from "../../src/contract/events.ts";
import { type ExecutionResult, executionResult } from "../../src/contract/execution.ts";
import { isLoopbackHost } from "../../src/lib/http.ts";
import { type CallbackListener, listenForCallback } from "../demo/callback.ts";
import type { SignedIn } from "./account.ts";
import type { Target } from "./options.ts";
import { Skip } from "./report.ts";

/** The built-in model, so that the check does not depend on others. */
export const MODEL = "builtin/demo";
/** The time that an execution of a check may take, with its start. */
export const PATIENCE_MS = 90_000;
/** The cloud's metadata service, which the service must never call. */
export const FORBIDDEN = "https://169.254.169.254/latest/meta-data";

/** Checks that an execution completes with a result that cannot be guessed. */
export async function agentRuns({ client }: SignedIn): Promise<{ detail: string }> {
  const totals = Array.from({ length: 3 }, () => randomInt(1, 1_000_000));
  const { executionId } = await client.executions.trigger({
    prompt: "Sum total from {{orders}}",
    inputs: { orders: totals.map((total, index) => ({ id: index + 1, total })) },
    model: MODEL,
    maxCredits: 10,
  });
  const { presentedResult, model, creditsConsumed } = await completed(client, executionId);
  const sum = totals.reduce((all, total) => all + total, 0);
  if (presentedResult.data !== sum) {
    throw new Error(`the agent found ${JSON.stringify(presentedResult.data)} instead of ${sum}`);
  }
  return { detail: `${model} completed it for ${creditsConsumed} credits` };
}

/** Checks that the events of an execution arrive as a stream, in order and to the last. */
export async function eventsStream({ client }: SignedIn): Promise<{ detail: string }> {
  const { executionId } = await client.executions.trigger({
    prompt: "Say hello",
    model: MODEL,
    maxCredits: 5,
  });
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const seen: ExecutionEvent[] = [];
  for await (const event of client.executions.stream(executionId, { signal })) seen.push(event);
  const inOrder = seen.every(({ seq }, at) => seq === at + 1);
  const status = seen.at(-1)?.data.status;
  if (inOrder && status === "completed") {
    return { detail: `${seen.length} events arrived in order, the last says ${status}` };
  }
  throw new Error(`the stream had ${seen.map(({ seq, type }) => `${seq} ${type}`).join(", ")}`);
}

/** Checks that a callback to a forbidden address is rejected. */
export async function forbiddenIsRefused({ client }: SignedIn): Promise<{ detail: string }> {
  try {
    const { executionId } = await client.executions.trigger({
      prompt: "Say hello",
      callbackUrl: FORBIDDEN,
      model: MODEL,
      maxCredits: 2,
    });
    await client.executions.stop(executionId);
  } catch (error) {
    if (!(error instanceof PrompthookError) || error.code !== "invalid_request") throw error;
    return { detail: `a callback to ${new URL(FORBIDDEN).host} is refused` };
  }
  throw new Error(`a callback to ${FORBIDDEN} was accepted`);
}

/** Waits for the result of an execution. Throws when it does not complete, or takes too long. */
export async function completed(client: Prompthook, executionId: string): Promise<ExecutionResult> {
  const result = await client.executions.wait(executionId, { timeoutMs: PATIENCE_MS });
  if (result.status === "completed") return result;
  throw new Error(`the execution ended as ${result.status}: ${result.presentedResult.summary}`);
}

const CALLBACK_PATIENCE_MS = 20_000;
const POLL_MS = 250;

/**
 * Checks a callback and verifies its signature with the stock library. A remote service cannot reach this
 * machine, so it needs an address that leads here.
 */
export async function callsBack(
  { url, callback }: Target,
  { client }: SignedIn,
): Promise<{ detail: string }> {
  const secret = `whsec_${randomBytes(24).toString("base64")}`;
  if (callback !== null && callback.port === null) {
    return deliveredTo(client, callback.url, secret);
  }
  if (callback === null && !isLoopbackHost(new URL(url).hostname)) {
    throw new Skip("needs an address that the service can reach: --callback-url");
  }
  const listener = await listenForCallback(secret, callback?.port ?? 0);
  try {
    return await receivedBy(listener, client, callback?.url ?? listener.url, secret);
  } finally {
    listener.close();
  }
}

async function receivedBy(
  listener: CallbackListener,
  client: Prompthook,
  url: string,
  secret: string,
): Promise<{ detail: string }> {
  const executionId = await trigger(client, url, secret);
  const body = executionResult.parse(await listener.received());
  if (body.executionId !== executionId) {
    throw new Error(`the callback is of another execution: ${body.executionId}`);
  }
  return { detail: "it arrived, and standardwebhooks accepts its signature" };
}

/** Checks that another receiver accepted the callback; only it can verify the signature. */
async function deliveredTo(
  client: Prompthook,
  url: string,
  secret: string,
): Promise<{ detail: string }> {
  const executionId = await trigger(client, url, secret);
  await completed(client, executionId);
  const deadline = Date.now() + CALLBACK_PATIENCE_MS;
  for (;;) {
    const { attempts, state } = await client.executions.callbacks(executionId);
    const last = attempts.at(-1);
    if (state === "delivered") {
      return { detail: `the receiver answered ${last?.status}; its signature is unverified` };
    }
    if (last !== undefined || Date.now() > deadline) {
      throw new Error(`not delivered: ${last?.error ?? last?.status ?? "it was not tried"}`);
    }
    await sleep(POLL_MS);
  }
}

async function trigger(client: Prompthook, callbackUrl: string, callbackSecret: string) {
  const body = { prompt: "Say hello", callbackUrl, callbackSecret, model: MODEL, maxCredits: 5 };
  try {
    return (await client.executions.trigger(body)).executionId;
  } catch (error) {
    const isRefused = error instanceof PrompthookError && error.code === "invalid_request";
    if (!isRefused || !isLoopbackHost(new URL(callbackUrl).hostname)) throw error;
    throw new Skip("this service calls no loopback address, as it should where it is deployed");
  }
}

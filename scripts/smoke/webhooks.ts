import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sign } from "@octokit/webhooks-methods";
import * as z from "zod";
import type { Prompthook } from "../../src/client/prompthook.ts";
import { isSettled, type LogEntry } from "../../src/contract/webhooks/log.ts";
import type { SignedIn } from "./account.ts";
import { completed, MODEL, PATIENCE_MS } from "./executions.ts";
import { fetchWithin } from "./http.ts";

const NAME = "Smoke check";
const LOG_PATIENCE_MS = 15_000;
const POLL_MS = 250;

const taken = z.object({
  requestId: z.uuid(),
  status: z.string(),
  executionId: z.uuid(),
  duplicate: z.boolean(),
});

/** An endpoint for GitHub's events that starts a workflow. */
export interface Hook {
  detail: string;
  client: Prompthook;
  endpointId: string;
  workflowId: string;
  url: string;
  secret: string;
}

/** An event that started an execution. */
export interface TakenEvent {
  detail: string;
  hook: Hook;
  event: GitHubEvent;
  executionId: string;
}

interface GitHubEvent {
  body: string;
  delivery: string;
  signature: string;
}

/** A workflow, and an endpoint that starts it. */
export async function openHook({ client }: SignedIn): Promise<Hook> {
  const { workflowId } = await client.workflows.create({
    name: NAME,
    prompt: "Say {{word}}",
    inputs: [{ name: "word", required: true }],
    model: MODEL,
    maxCredits: 5,
  });
  const secret = randomBytes(24).toString("hex");
  try {
    const { endpointId, url } = await client.webhooks.create({
      name: NAME,
      workflowId,
      auth: { hmac: { preset: "github", secret } },
      mapping: { fields: [{ to: "word", from: "issue.title" }] },
    });
    return { detail: url, client, endpointId, workflowId, url, secret };
  } catch (error) {
    await client.workflows.delete(workflowId);
    throw error;
  }
}

/** An event signed by GitHub's own code starts an execution, and the log follows it to its end. */
export async function eventStartsRun(hook: Hook): Promise<TakenEvent> {
  const word = randomBytes(6).toString("hex");
  const event = await eventOf(word, hook.secret);
  const { status, text } = await deliver(hook, event);
  if (status !== 202) throw new Error(`the response to a signed event was ${status}: ${text}`);
  const { requestId, executionId } = taken.parse(JSON.parse(text));
  // A request for the execution would start it, even if nothing consumes the queue.
  const entry = await settled(hook, requestId);
  if (entry.status !== "succeeded") throw new Error(`the log shows it as ${entry.status}`);
  const { presentedResult } = await completed(hook.client, executionId);
  if (!presentedResult.summary.includes(word)) {
    throw new Error(`the execution should say ${word} but said: ${presentedResult.summary}`);
  }
  const { toStart, toCompletion } = entry.latencyMs;
  const detail = `202; its execution started after ${toStart} ms and ended after ${toCompletion} ms`;
  return { detail, hook, event, executionId };
}

/** The same event again starts nothing. */
export async function duplicateStartsNothing({
  hook,
  event,
  executionId,
}: TakenEvent): Promise<{ detail: string }> {
  const { status, text } = await deliver(hook, event);
  if (status !== 200) throw new Error(`the response to the repeated event was ${status}`);
  const again = taken.parse(JSON.parse(text));
  if (!again.duplicate || again.executionId !== executionId) {
    throw new Error(`the repeated event was not recognized: ${text}`);
  }
  return { detail: "200; the repeated event started nothing" };
}

/** An event that is signed with another secret is refused; the log, and not the answer, says why. */
export async function forgeryIsRefused(hook: Hook): Promise<{ detail: string }> {
  const forgery = await eventOf("forged", `${hook.secret}\n`);
  const { status, text } = await deliver(hook, forgery);
  if (status !== 401)
    throw new Error(`the response to a forged event was ${status} instead of 401`);
  const { errors, diagnosis } = await refusal(hook, forgery.delivery);
  if (!errors.some(({ stage }) => stage === "signature") || diagnosis.length === 0) {
    throw new Error(`the log does not explain the forged event: ${JSON.stringify(errors)}`);
  }
  if (diagnosis.some((sentence) => text.includes(sentence))) {
    throw new Error("the response reveals to the forger what would have matched");
  }
  return { detail: `401; the log says: ${diagnosis[0]}` };
}

/** Deletes the endpoint and the workflow. */
export async function cleanUp({ client, endpointId, workflowId }: Hook) {
  await client.webhooks.delete(endpointId);
  await client.workflows.delete(workflowId);
  return { detail: "the endpoint and the workflow are deleted" };
}

async function eventOf(title: string, secret: string): Promise<GitHubEvent> {
  const body = JSON.stringify({ action: "opened", issue: { number: 1, title } });
  return { body, delivery: randomUUID(), signature: await sign(secret, body) };
}

async function deliver({ url }: Hook, { body, delivery, signature }: GitHubEvent) {
  const headers = {
    "Content-Type": "application/json",
    "X-GitHub-Event": "issues",
    "X-GitHub-Delivery": delivery,
    "X-Hub-Signature-256": signature,
  };
  const response = await fetchWithin(new Request(url, { method: "POST", headers, body }));
  return { status: response.status, text: await response.text() };
}

/** Returns the log entry once its execution has ended. */
function settled({ client, endpointId }: Hook, requestId: string): Promise<LogEntry> {
  let shown = "no entry";
  const otherwise = () => `its execution did not start and end in time; the log shows ${shown}`;
  return sought(otherwise, PATIENCE_MS, async () => {
    const entry = await client.webhooks.request(endpointId, requestId);
    const { status, latencyMs } = entry;
    shown = latencyMs.toStart === null ? `it as ${status}, not started` : `it as ${status}`;
    return isSettled(status) ? entry : null;
  });
}

function refusal({ client, endpointId }: Hook, delivery: string): Promise<LogEntry> {
  return sought(
    () => "the log does not show the forged event",
    LOG_PATIENCE_MS,
    async () => {
      const { requests } = await client.webhooks.requests(endpointId, { status: ["rejected"] });
      const listed = requests.find(({ headers }) => headers["x-github-delivery"] === delivery);
      return listed ? client.webhooks.request(endpointId, listed.requestId) : null;
    },
  );
}

/** Returns what `look` finds in the end: the log is written after the response. */
async function sought<Found>(
  otherwise: () => string,
  patienceMs: number,
  look: () => Promise<Found | null>,
): Promise<Found> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (Date.now() > deadline) throw new Error(otherwise());
    await sleep(POLL_MS);
  }
}

import { randomInt } from "node:crypto";
import { PrompthookError } from "../../src/client/error.ts";
import type { Prompthook } from "../../src/client/prompthook.ts";
import type { ExecutionResult } from "../../src/contract/execution.ts";
import type { SignedIn } from "./service.ts";

/** The embedded model: the check is of the service, whatever models it can reach. */
export const MODEL = "builtin/planner";
const PATIENCE_MS = 90_000;
/** The cloud's metadata service, which no caller may make the service call. */
const FORBIDDEN = "https://169.254.169.254/latest/meta-data";

/** An agent runs to its end and finds what cannot be guessed. */
export async function agentRuns({ client }: SignedIn): Promise<{ detail: string }> {
  const totals = Array.from({ length: 3 }, () => randomInt(1, 1_000_000));
  const { executionId } = await client.executions.trigger({
    prompt: "What is the sum of the totals of all orders?",
    inputs: { orders: totals.map((total, index) => ({ id: index + 1, total })) },
    model: MODEL,
    maxCredits: 10,
  });
  const { presentedResult, model, creditsConsumed } = await completed(client, executionId);
  const sum = totals.reduce((all, total) => all + total, 0);
  if (presentedResult.data !== sum) {
    throw new Error(`the agent found ${JSON.stringify(presentedResult.data)} instead of ${sum}`);
  }
  return { detail: `${model} ran to its end for ${creditsConsumed} credits` };
}

/** A callback to a forbidden address is refused before anything starts. */
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

/** The result, once the execution has completed. Throws when it ended otherwise, or goes on for too long. */
export async function completed(client: Prompthook, executionId: string): Promise<ExecutionResult> {
  const result = await client.executions.wait(executionId, { timeoutMs: PATIENCE_MS });
  if (result.status === "completed") return result;
  throw new Error(`the run ended as ${result.status}: ${result.presentedResult.summary}`);
}

import { expect } from "vitest";
import { type ExecutionStatus, FINAL_STATUSES } from "../../../src/contract/execution.ts";
import type { JsonObject } from "../../../src/contract/json.ts";
import { AGENT, newAccount, send, trigger, untilStatus } from "./client.ts";
import { signedIn } from "./dashboard.ts";
import { promptOf, type ScriptedStep } from "./scripted.ts";

/** The last step of a model that says that it is done. */
export const DONE = { finish: { summary: "All done." } };

/** A reader who has signed in to an account of their own, with the runs of that account. */
export async function newReader(settings: { credits?: number } = {}) {
  const { apiKey } = await newAccount(settings);
  const session = await signedIn(apiKey);

  /** Starts a run whose model does this, step by step. */
  const start = (steps: [ScriptedStep, ...ScriptedStep[]], changes: Record<string, unknown> = {}) =>
    trigger(apiKey, { prompt: promptOf(...steps), model: "openai/scripted", ...changes });

  return {
    apiKey,
    session,
    start,
    /** The same, once it is in this status; throws when it ends in another one. */
    async started(
      steps: [ScriptedStep, ...ScriptedStep[]],
      changes: Record<string, unknown> = {},
      status: ExecutionStatus = "completed",
    ): Promise<string> {
      const id = await start(steps, changes);
      await untilStatus(apiKey, id, status, ...FINAL_STATUSES);
      const response = await send(`${AGENT}/trigger/${id}/status`, { token: apiKey });
      expect(await response.json()).toMatchObject({ status });
      return id;
    },
    /** A page of the executions, as text. */
    read: (path = "", status = 200) => session.read(`/dashboard/executions${path}`, status),
  };
}

export type Reader = Awaited<ReturnType<typeof newReader>>;

/** The value of a hidden control of a page's form. */
export function hiddenIn(page: string, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1];
  if (value === undefined) throw new Error(`the page has no ${name}`);
  return value.replaceAll("&amp;", "&");
}

/** A step of a model that hands these outputs over. */
export function emits(...inputs: JsonObject[]): ScriptedStep {
  return { calls: inputs.map((input) => ({ tool: "emit_output", input })) };
}

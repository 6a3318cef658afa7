import { type ExecutionState, executionState, isFinal } from "../../../src/contract/execution.ts";
import { AGENT, newAccount, send, trigger } from "./client.ts";
import { mailbox } from "./objects.ts";
import { promptOf, type ScriptedStep } from "./scripted.ts";

/** A client that is asked for approvals, on an account of its own. */
export async function openOffice(credits = 10_000) {
  const { accountId, apiKey } = await newAccount({ credits });

  async function status(id: string, query = ""): Promise<ExecutionState> {
    const response = await send(`${AGENT}/trigger/${id}/status${query}`, { token: apiKey });
    return executionState.parse(await response.json());
  }

  async function until(
    id: string,
    holds: (state: ExecutionState) => boolean,
  ): Promise<ExecutionState> {
    let state = await status(id);
    while (!holds(state)) {
      if (isFinal(state.status)) throw new Error(`ended first: ${JSON.stringify(state)}`);
      state = await status(id, `?sinceVersion=${state.version}&waitSeconds=10`);
    }
    return state;
  }

  const start = (steps: [ScriptedStep, ...ScriptedStep[]], changes: Record<string, unknown> = {}) =>
    trigger(apiKey, { prompt: promptOf(...steps), model: "openai/scripted", ...changes });

  const say = (id: string, body: object, token = apiKey) =>
    send(`${AGENT}/trigger/${id}/message`, { method: "POST", token, body });

  return {
    accountId,
    apiKey,
    status,
    until,
    ended: (id: string) => until(id, (state) => isFinal(state.status)),
    /** Starts an execution whose model does this, step by step. */
    start,
    /** Sends a message. */
    say,
    /** Decides about a call. */
    decide: (id: string, callId: string, decision: "approve" | "deny", more: object = {}) =>
      say(id, { approval: { callId, decision }, ...more }),
    /** The call that the execution asks about, once it does. */
    async asked(id: string, callId?: string) {
      const { question, creditsConsumed } = await until(
        id,
        ({ question: open }) =>
          open?.kind === "approval" && (callId === undefined || open.callId === callId),
      );
      if (question?.kind !== "approval") throw new Error("no approval was asked for");
      return { ...question, creditsConsumed };
    },
    /** An execution that wants to pay at `site`; what the model is told next comes to `gate`. */
    async paying(changes: Record<string, unknown> = {}) {
      const site = mailbox();
      const gate = mailbox();
      const input = { method: "POST", url: site.url, body: { amount: 5, to: "ann" } };
      const pay = { tool: "http_request", input, id: "pay" };
      const id = await start(
        [{ calls: [pay] }, { gate: gate.name, finish: { summary: "Done." } }],
        { approvals: ["http_request"], ...changes },
      );
      return { id, site, gate, input };
    },
  };
}

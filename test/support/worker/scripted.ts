import type { Json } from "../../../src/contract/json.ts";
import {
  type Behaviour,
  call,
  callsTools,
  finishes,
  hangs,
  says,
} from "../model-server/behaviour.ts";
import type { ChatRequest } from "../model-server/chat-request.ts";

/** One step of a model whose script is its prompt; at a `gate` it hangs while that mailbox holds. */
export interface ScriptedStep {
  gate?: string;
  text?: string;
  calls?: { tool: string; input: Json; id?: string }[];
  finish?: { summary: string; data?: Json };
  error?: { status: number; retryAfter?: number };
}

/** The prompt that makes the model `openai/scripted` do this, step by step. */
export function promptOf(...steps: [ScriptedStep, ...ScriptedStep[]]): string {
  return JSON.stringify(steps);
}

/** What the model does next in this conversation. */
export function scriptedBehaviour(
  request: ChatRequest,
  holds: (gate: string, conversation: string) => boolean,
): Behaviour {
  const prompt = request.messages.find(({ role }) => role === "user")?.content;
  if (typeof prompt !== "string") throw new Error("a script is plain text");
  // Later messages of the user, and data, may follow it in the same part.
  const steps = JSON.parse(prompt.split("\n\n")[0] ?? "") as ScriptedStep[];
  const done = request.messages.filter(({ role }) => role === "assistant").length;
  const step = steps[Math.min(done, steps.length - 1)];
  if (step === undefined) throw new Error("a script has a step");
  if (step.gate !== undefined && holds(step.gate, JSON.stringify(request.messages))) return hangs();
  return behaviourOf(step);
}

function behaviourOf({ text, calls, finish, error }: ScriptedStep): Behaviour {
  if (error !== undefined) {
    const headers: Record<string, string> =
      error.retryAfter === undefined ? {} : { "retry-after": String(error.retryAfter) };
    return { kind: "error", status: error.status, headers, message: "scripted" };
  }
  if (calls !== undefined) {
    return callsTools(...calls.map(({ tool, input, id }) => call(tool, input, id)));
  }
  return finish === undefined ? says(text ?? "Done.") : finishes(finish.summary, finish.data);
}

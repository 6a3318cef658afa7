import * as z from "zod";
import type { Json } from "../../../src/contract/json.ts";
import {
  type Behaviour,
  breaksOff,
  call,
  callsTools,
  fails,
  finishes,
  hangs,
  type ScriptedUsage,
  says,
} from "../model-server/behaviour.ts";

/** One step of a model whose script is its prompt; at a `gate` it hangs while that mailbox holds. */
export interface ScriptedStep {
  gate?: string;
  text?: string;
  calls?: { tool: string; input: Json; id?: string }[];
  finish?: { summary: string; data?: Json; status?: "failed" };
  error?: { status: number; retryAfter?: number; message?: string };
  usage?: ScriptedUsage;
  /** Whether the text broke off at the most that may be written. */
  cutShort?: boolean;
}

/** A request of any provider. */
export interface ScriptRequest {
  messages: readonly { role: string; content?: unknown }[];
}

/** The prompt that makes a scripted model do this, step by step. */
export function promptOf(...steps: [ScriptedStep, ...ScriptedStep[]]): string {
  return JSON.stringify(steps);
}

/** What the model does next in this conversation. */
export function scriptedBehaviour(
  { messages }: ScriptRequest,
  holds: (gate: string, conversation: string) => boolean,
): Behaviour {
  // Later messages of the user, and data, may follow it in the same part.
  const prompt = textOf(messages.find(({ role }) => role === "user")?.content);
  const steps = JSON.parse(prompt.split("\n\n")[0] ?? "") as ScriptedStep[];
  const done = messages.filter(({ role }) => role === "assistant").length;
  const step = steps[Math.min(done, steps.length - 1)];
  if (step === undefined) throw new Error("a script has a step");
  if (step.gate !== undefined && holds(step.gate, JSON.stringify(messages))) return hangs();
  const behaviour = behaviourOf(step);
  return behaviour.kind === "reply" && step.usage ? { ...behaviour, usage: step.usage } : behaviour;
}

/** Anthropic's messages have parts, the others' are plain. */
const content = z.union([z.string(), z.array(z.object({ text: z.string() })).min(1)]);

function textOf(of: unknown): string {
  const parsed = content.parse(of);
  return typeof parsed === "string" ? parsed : (parsed[0]?.text ?? "");
}

function behaviourOf({ text, calls, finish, error, cutShort }: ScriptedStep): Behaviour {
  if (error !== undefined) {
    const { status, retryAfter, message } = error;
    const headers: Record<string, string> =
      retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
    return fails(status, message ?? "scripted", headers);
  }
  if (calls !== undefined) {
    return callsTools(...calls.map(({ tool, input, id }) => call(tool, input, id)));
  }
  if (cutShort === true) return breaksOff(text ?? "");
  if (finish?.status === "failed") return callsTools(call("finish", finish));
  return finish === undefined ? says(text ?? "Done.") : finishes(finish.summary, finish.data);
}

import { ModelError, type ModelReply, type ToolCall, type Turn } from "../contract/conversation.ts";
import type { Json, JsonObject } from "../contract/json.ts";
import type { Violation } from "../contract/problem.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import type { ToolAnswer } from "../contract/tools/call.ts";
import { covers } from "../contract/tools/names.ts";
import { SchemaFault } from "../lib/json-schema/schema-fault.ts";
import { validateJson } from "../lib/json-schema/validate.ts";
import type { ClassifiedCall } from "./machine/replies.ts";
import type { PendingCall } from "./machine/state.ts";
import type { Toolset } from "./tools/registry.ts";

/** Calls that one reply may ask for. */
const CALLS_PER_REPLY = 32;

/**
 * A reply without calls is the model's last word: it becomes a call of `finish`, so that there is one
 * way to end. `callId` is the id that this call gets.
 */
export function withFinish(reply: ModelReply, callId: string): ModelReply {
  if (reply.calls.length > 0) return { ...reply, calls: reply.calls.slice(0, CALLS_PER_REPLY) };
  const text = reply.text.trim();
  if (text === "") throw new ModelError("The model answered nothing.", { retryable: true });
  const data = parsedObject(text);
  const input = { summary: text.slice(0, 32_000), ...(data === undefined ? {} : { data }) };
  return { ...reply, text: "", calls: [{ callId, tool: "finish", input }] };
}

function parsedObject(text: string): Json | undefined {
  if (!text.startsWith("{") && !text.startsWith("[")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Understands a call: what kind it is and what it costs, or why it cannot be run. */
export function classifyCall(call: ToolCall, seed: ExecutionSeed, tools: Toolset): ClassifiedCall {
  const { callId } = call;
  const tool = tools.names.find((name) => name === call.tool);
  if (tool === undefined) {
    return refuse(
      call,
      "unknown_tool",
      `There is no tool ${call.tool}; there are: ${tools.names.join(", ")}.`,
    );
  }
  const checked = tools.check(tool, call.input);
  if (!checked.ok) return refuse(call, "invalid_input", checked.message);
  const needsApproval = covers(seed.approvals, tool);
  return {
    callId,
    tool,
    kind: checked.kind,
    price: checked.price,
    target: checked.target,
    description: checked.description,
    needsApproval,
    state: "pending",
    ...(needsApproval ? { input: call.input } : {}),
  };
}

/**
 * Why a call can no longer be run as it was understood, or null when it can. A restart may bring newer
 * code, or a remote server other tools: what was approved, priced and ledgered must be what is done.
 */
export function staleCall(
  call: PendingCall,
  input: Json,
  seed: ExecutionSeed,
  tools: Toolset,
): ToolAnswer | null {
  const { callId, tool, kind, target } = call;
  const today = classifyCall({ callId, tool, input }, seed, tools);
  if ("refused" in today) return today.refused;
  if (today.kind === kind && today.target === target) return null;
  const message = `${tool} no longer does what it did when this was asked for: nothing was done. Ask again if it is still wanted.`;
  return { ok: false, error: { code: "tool_changed", message } };
}

function refuse({ callId, tool }: ToolCall, code: string, message: string): ClassifiedCall {
  const refused: ToolAnswer = { ok: false, error: { code, message } };
  return { callId, tool, refused };
}

/** The input of a call, from the reply that asked for it. */
export function callInput(turns: readonly Turn[], callId: string): Json {
  for (const turn of turns.toReversed()) {
    if (turn.role !== "assistant") continue;
    const call = turn.calls.find((candidate) => candidate.callId === callId);
    if (call !== undefined) return call.input;
  }
  throw new Error(`call ${callId} is not in the conversation`);
}

/** More would not help whoever repairs the data, and a long list has a violation per item. */
const MAX_VIOLATIONS = 20;

/** What is wrong with `data` under a JSON Schema 2020-12, the first 20; nothing when it matches. */
export function schemaViolations(schema: JsonObject, data: Json | undefined): Violation[] {
  if (data === undefined) {
    return [{ path: "", rule: "required", message: "no data was given" }];
  }
  try {
    const { violations } = validateJson(schema, data, MAX_VIOLATIONS);
    return violations.map(({ path, ...rest }) => ({ path: path.join("."), ...rest }));
  } catch (error) {
    if (!(error instanceof SchemaFault)) throw error;
    return [{ path: "", rule: error.rule, message: `the schema cannot be used: ${error.message}` }];
  }
}

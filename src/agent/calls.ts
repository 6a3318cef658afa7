import type { RequestedCall, ToolCall, Turn } from "../contract/conversation.ts";
import type { Json } from "../contract/json.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import type { ToolAnswer } from "../contract/tools/call.ts";
import { covers } from "../contract/tools/names.ts";
import type { ClassifiedCall } from "./machine/replies.ts";
import type { PendingCall } from "./machine/state.ts";
import type { Toolset } from "./tools/registry.ts";

/** Classifies a call: its kind and its price, or the reason why it cannot run. */
export function classifyCall(
  call: RequestedCall,
  seed: ExecutionSeed,
  tools: Toolset,
): ClassifiedCall {
  const { callId } = call;
  if (call.fault !== undefined) return refuse(call, "unreadable_call", call.fault);
  const tool = tools.names.find((name) => name === call.tool);
  if (tool === undefined) {
    return refuse(
      call,
      "unknown_tool",
      `Unknown tool ${call.tool}. Available tools: ${tools.names.join(", ")}.`,
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
 * Returns the error of a call that can no longer run as it was classified, or null. After a restart the
 * code or a remote server's tools may differ: the call that runs must be the one that was approved,
 * priced and ledgered.
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
  const message = `${tool} changed since this call was requested, so the call did not run. Call it again if it is still needed.`;
  return { ok: false, error: { code: "tool_changed", message } };
}

function refuse({ callId, tool }: ToolCall, code: string, message: string): ClassifiedCall {
  const refused: ToolAnswer = { ok: false, error: { code, message } };
  return { callId, tool, refused };
}

/** Returns a call, from the reply that made it; `newest` are turns that follow the others. */
export function requestedCall(
  turns: readonly Turn[],
  callId: string,
  newest: readonly Turn[] = [],
): ToolCall {
  const call = madeIn(newest, callId) ?? madeIn(turns, callId);
  if (call === null) throw new Error(`Call ${callId} is not in the conversation.`);
  return call;
}

function madeIn(turns: readonly Turn[], callId: string): ToolCall | null {
  const isIt = (call: ToolCall) => call.callId === callId;
  const reply = turns.findLast((turn) => turn.role === "assistant" && turn.calls.some(isIt));
  return reply?.role === "assistant" ? (reply.calls.find(isIt) ?? null) : null;
}

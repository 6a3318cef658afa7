import * as z from "zod";
import { basisOf } from "../agent/tools/cuts.ts";
import type { Toolset } from "../agent/tools/toolset.ts";
import type { RequestedCall, ToolCall, Turn } from "../contract/conversation.ts";
import type { Json } from "../contract/json.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import { failedAnswer, type ToolAnswer } from "../contract/tools/call.ts";
import { covers, TOOLS, type ToolName } from "../contract/tools/names.ts";
import { cutPlaces } from "../lib/text.ts";
import type { History } from "./journal/history.ts";
import type { ClassifiedCall } from "./machine/replies.ts";
import type { PendingCall } from "./machine/state.ts";

/** What the loop reads of an execution's history. */
export type LoopHistory = Pick<
  History,
  "turns" | "taskFiles" | "answer" | "files" | "cutsOf" | "cutReadsBefore"
>;

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
  const { kind, price, target, description } = checked;
  const needsApproval = covers(seed.approvals, tool);
  return {
    callId,
    tool,
    kind,
    price,
    target,
    description,
    needsApproval,
    state: "pending",
    ...(needsApproval && { input: call.input, ...schemaOf(tool, tools) }),
  };
}

function schemaOf(tool: string, { descriptions }: Toolset) {
  const inputSchema = descriptions.find(({ name }) => name === tool)?.inputSchema;
  return inputSchema && { inputSchema };
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
  if (today.refused !== undefined) return today.refused;
  if (today.kind === kind && today.target === target) return null;
  const message = `${tool} changed since this call was requested, so the call did not run. Call it again if it is still needed.`;
  return failedAnswer("tool_changed", message);
}

/** Tools whose effects carry a note of the service to those who read them. */
const WITH_NOTE: ReadonlySet<string> = new Set<ToolName>(["send_email", "write_spreadsheet"]);

/**
 * Returns a call as it is classified, or refused: an effect that cannot carry a note and may be based on
 * a source that was cut is refused until the model has read why. It then says so in the content itself,
 * or calls again because there is nothing to say.
 */
export function heldBack(
  { callId, input }: RequestedCall,
  call: ClassifiedCall,
  history: Pick<History, "turns" | "cutsOf" | "cutReadsBefore">,
): ClassifiedCall {
  if (call.kind !== "effect" || WITH_NOTE.has(call.tool)) return call;
  const cutReads = history.cutReadsBefore(callId);
  // Remote tools may have an input of this name, too.
  const named = Object.hasOwn(TOOLS, call.tool) ? withSources.safeParse(input).data : undefined;
  const basis = basisOf(named?.sources, { cutReads });
  const cuts = history.cutsOf(basis);
  if (cuts.length === 0 || wasTold(history.turns, call.tool, cutReads)) return call;
  const message = `Nothing was sent: the call may be based on data that was cut ${cutPlaces(cuts)} (${basis.join(", ")}), so figures in it may be incomplete, and ${call.tool} cannot carry a note of ours. If it has such figures, say in its content that they may be incomplete, or read the data in smaller parts first. Then call again: the next call is sent as it is.`;
  return refuse({ callId, tool: call.tool, input }, "truncated_source", message);
}

const withSources = z.object({ sources: z.array(z.string()) });

/** Whether a call of the tool was refused for this reason since the newest of these reads. */
function wasTold(turns: readonly Turn[], tool: string, cutReads: readonly string[]): boolean {
  const told = turns.findLastIndex(
    (turn) =>
      turn.role === "tool" &&
      turn.tool === tool &&
      !turn.answer.ok &&
      turn.answer.error.code === "truncated_source",
  );
  const read = turns.findLastIndex(
    (turn) => turn.role === "tool" && cutReads.includes(turn.callId),
  );
  return told > read;
}

function refuse({ callId, tool }: ToolCall, code: string, message: string): ClassifiedCall {
  return {
    callId,
    tool,
    kind: "local",
    price: 0,
    target: "",
    description: "",
    needsApproval: false,
    state: "pending",
    refused: failedAnswer(code, message),
  };
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

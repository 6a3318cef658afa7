import type { ToolResult } from "../agent/tools/tool.ts";
import type { Toolset } from "../agent/tools/toolset.ts";
import type { ToolCall } from "../contract/conversation.ts";
import type { Json } from "../contract/json.ts";
import type { CallsReply, ExecutionSeed } from "../contract/session.ts";
import { failedAnswer, type ToolAnswer } from "../contract/tools/call.ts";
import { canonicalJson } from "../lib/json-values.ts";
import { redactByName } from "../lib/redaction.ts";
import type { History } from "./journal/history.ts";

/** Tools that only compute. All others reach something outside of their execution. */
const LOCAL = new Set(["process_data", "run_code", "emit_output", "write_spreadsheet"]);

/** Returns the text that calls share which a tool takes for the same. */
const keyOf = (tools: Toolset, tool: string, input: Json) =>
  `${tool} ${canonicalJson(tools.withDefaults(tool, input))}`;

/** Returns the tools of a rehearsal, which never change anything outside. */
export function rehearsed(
  tools: Toolset,
  { reads }: NonNullable<ExecutionSeed["rehearsal"]>,
  original: () => History,
): Toolset {
  let recorded: Map<string, ToolAnswer> | null = null;
  return {
    ...tools,
    async run(name, input, context): Promise<ToolResult> {
      const checked = tools.check(name, input);
      if (!checked.ok) return tools.run(name, input, context);
      recorded ??= answersOf(original(), tools);
      const known = recorded.get(keyOf(tools, name, input)) ?? null;
      if (checked.kind === "effect") {
        return { answer: known?.ok ? known : { ok: true, content: doneBy(name) } };
      }
      if (checked.kind === "local" && LOCAL.has(name)) return tools.run(name, input, context);
      if (known !== null) return { answer: known };
      if (reads === "live" && checked.kind === "read") return tools.run(name, input, context);
      const message = "The original did not read this, and a rehearsal reads nothing new.";
      return { answer: failedAnswer("not_recorded", message) };
    },
  };
}

/** An effect is answered as done. */
const doneBy = (tool: string): Json => (tool === "http_request" ? { status: 200 } : { done: true });

const callsIn = (history: History): ToolCall[] =>
  history.turns.flatMap((turn) => (turn.role === "assistant" ? turn.calls : []));

function answersOf(history: History, tools: Toolset): Map<string, ToolAnswer> {
  const answers = new Map<string, ToolAnswer>();
  for (const { callId, tool, input } of callsIn(history)) {
    const answer = history.answer(callId);
    if (answer !== null) answers.set(keyOf(tools, tool, input), answer);
  }
  return answers;
}

/** Returns the calls of an execution in their order. */
export function callsOf(history: History): Extract<CallsReply, { kind: "found" }> {
  const effects = new Set(history.effects.map(({ effectId }) => effectId));
  const calls = callsIn(history).map(({ callId, tool, input }) => {
    return { tool, input: redactByName(input), isEffect: effects.has(callId) };
  });
  return { kind: "found", calls };
}

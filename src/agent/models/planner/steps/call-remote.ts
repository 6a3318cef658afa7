import { mcpToolContent } from "../../../../contract/tools/mcp.ts";
import { failedPart, type Part } from "../answer/parts.ts";
import { valuePart } from "../answer/value-part.ts";
import type { Desk } from "../desk.ts";
import type { RemoteOrder } from "../plan/remote.ts";

/** Calls a tool of a remote server, once: what it changes there is not known. Null while under way. */
export function remotePart({ tool, input, message }: RemoteOrder, desk: Desk): Part | null {
  if (!desk.has(tool)) {
    return failedPart("result", `There is no tool ${tool} among the tools of this run.`);
  }
  const done = desk.once(tool, input, message, () => true);
  if (done === null) return null;
  if (!done.answer.ok) {
    const { code, message: reason } = done.answer.error;
    return failedPart("result", `${tool} was called without success (${code}): ${reason}`);
  }
  const content = mcpToolContent.safeParse(done.answer.content);
  const value = content.success
    ? (content.data.json ?? content.data.text ?? null)
    : done.answer.content;
  return valuePart(`${tool} answered:`, value, done.callId);
}

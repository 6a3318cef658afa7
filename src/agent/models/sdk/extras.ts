import type { ModelRequest, ToolDescription, Turn } from "../../../contract/conversation.ts";
import { propertiesOf } from "../../../lib/json-schema/parameters.ts";
import { isObject } from "../../../lib/json-values.ts";
import { newestImages, shownFiles } from "../prompt/files.ts";

/**
 * Whether a request has parts that not every server accepts: an output schema as parameters, reasoning,
 * images or PDF files.
 */
export function hasExtras(request: ModelRequest): boolean {
  const { tools, turns } = request;
  return (
    newestImages(request).length > 0 ||
    shownFiles(request).size > 0 ||
    tools.some(({ hasOutputSchema }) => hasOutputSchema === true) ||
    turns.some((turn) => turn.role === "assistant" && turn.reasoning !== undefined)
  );
}

/** Returns a request without these parts. The prompt then states the output schema as text. */
export function withoutExtras(request: ModelRequest): ModelRequest {
  const { tools, turns, files: _, ...rest } = request;
  return { ...rest, tools: tools.map(withOpenData), turns: turns.map(withoutReasoning) };
}

/** Leaves only the description of `data` in place of the output schema. */
function withOpenData({ hasOutputSchema, ...tool }: ToolDescription): ToolDescription {
  if (hasOutputSchema !== true) return tool;
  const properties = propertiesOf(tool.inputSchema);
  const description = isObject(properties.data) ? properties.data.description : undefined;
  const data = description === undefined ? {} : { description };
  return { ...tool, inputSchema: { ...tool.inputSchema, properties: { ...properties, data } } };
}

/** Turns without their reasoning: each step's prompt recognises those of the last one. */
const bareTurns = new WeakMap<Turn, Turn>();

function withoutReasoning(turn: Turn): Turn {
  if (turn.role !== "assistant" || turn.reasoning === undefined) return turn;
  const known = bareTurns.get(turn);
  if (known !== undefined) return known;
  const { reasoning: _, ...bare } = turn;
  bareTurns.set(turn, bare);
  return bare;
}

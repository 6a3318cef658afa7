import * as z from "zod";
import type { ToolDescription } from "../../contract/conversation.ts";
import type { Json, JsonObject } from "../../contract/json.ts";
import { askUserInput, finishInput } from "../../contract/tools/control.ts";
import { TOOL_PRICES, type ToolName } from "../../contract/tools/names.ts";
import type { CallKind } from "../machine/state.ts";
import { browse } from "./browse.ts";
import { emitOutput } from "./emit-output.ts";
import { httpRequest } from "./http-request.ts";
import { processData } from "./process-data.ts";
import type { Tool, ToolContext, ToolResult } from "./tool.ts";

/** A call as it will be run, or why its input is wrong. */
export type CheckedCall =
  | { ok: true; kind: CallKind; price: number; target: string; description: string }
  | { ok: false; message: string };

/** A tool with its input's type closed over, so that tools of all inputs lie in one list. */
interface Entry {
  name: ToolName;
  describe: ToolDescription;
  check(input: Json): CheckedCall;
  run(input: Json, context: ToolContext): Promise<ToolResult>;
}

/** The tools of one execution. */
export interface ToolBox {
  readonly names: readonly ToolName[];
  check(name: ToolName, input: Json): CheckedCall;
  run(name: string, input: Json, context: ToolContext): Promise<ToolResult>;
}

/** Tools that look at the outside and may run side by side. */
const READS: ReadonlySet<ToolName> = new Set(["browse", "http_request"]);

function entry<Input>(tool: Tool<Input>): Entry {
  return {
    name: tool.name,
    describe: describe(tool.name, tool.description, tool.input),
    check(raw) {
      const input = tool.input.safeParse(raw);
      if (!input.success) return { ok: false, message: z.prettifyError(input.error) };
      const effect = tool.effect(input.data);
      const read = READS.has(tool.name) ? "read" : "local";
      return {
        ok: true,
        kind: effect === null ? read : "effect",
        price: TOOL_PRICES[tool.name],
        target: effect?.target ?? "",
        description: tool.describe(input.data),
      };
    },
    run: (raw, context) => tool.run(tool.input.parse(raw), context),
  };
}

/** A call that the machine decides by itself; it is never run here. */
function control(name: "finish" | "ask_user", description: string, input: z.ZodType): Entry {
  return {
    name,
    describe: describe(name, description, input),
    check(raw) {
      const parsed = input.safeParse(raw);
      if (!parsed.success) return { ok: false, message: z.prettifyError(parsed.error) };
      return { ok: true, kind: "control", price: TOOL_PRICES[name], target: "", description: name };
    },
    run: () => Promise.reject(new Error(`${name} is decided by the machine`)),
  };
}

function describe(name: ToolName, description: string, input: z.ZodType): ToolDescription {
  const schema = z.toJSONSchema(input, { io: "input" });
  return { name, description, inputSchema: JSON.parse(JSON.stringify(schema)) as JsonObject };
}

function buildEntries(): Map<string, Entry> {
  const entries = [
    entry(browse),
    entry(httpRequest),
    entry(processData),
    entry(emitOutput),
    control(
      "ask_user",
      "Ask the user a question and wait for the answer, which comes as the next message.",
      askUserInput,
    ),
    control(
      "finish",
      "End the work with a summary for the user and, where data was asked for, the data. Use status failed when it could not be done, and say why.",
      finishInput,
    ),
  ];
  return new Map(entries.map((item) => [item.name, item]));
}

let built: Map<string, Entry> | null = null;

/** Built at the first use: the JSON Schemas are not needed by requests that start nothing. */
function allEntries(): Map<string, Entry> {
  built ??= buildEntries();
  return built;
}

/** The tools that an execution may use. `finish` is always there; `ask_user` only when it may ask. */
export function toolsOf(options: { tools: readonly ToolName[]; interactive: boolean }): {
  box: ToolBox;
  descriptions: ToolDescription[];
} {
  const entries = [...allEntries().values()].filter(
    ({ name }) =>
      name === "finish" ||
      (name === "ask_user" ? options.interactive : options.tools.includes(name)),
  );
  const byName = new Map<string, Entry>(entries.map((item) => [item.name, item]));
  const find = (name: string): Entry => {
    const found = byName.get(name);
    if (found === undefined) throw new Error(`there is no tool ${name} here`);
    return found;
  };
  return {
    box: {
      names: entries.map(({ name }) => name),
      check: (name, input) => find(name).check(input),
      run: (name, input, context) => find(name).run(input, context),
    },
    descriptions: entries.map((item) => item.describe),
  };
}

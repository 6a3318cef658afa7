import * as z from "zod";
import type { ToolDescription } from "../../contract/conversation.ts";
import { type Json, type JsonObject, jsonObject } from "../../contract/json.ts";
import { askUserInput, finishInput } from "../../contract/tools/call.ts";
import { covers, TOOL_PRICES, type ToolName } from "../../contract/tools/names.ts";
import { browse } from "./browse.ts";
import { emitOutput } from "./emit-output.ts";
import { httpRequest } from "./http-request.ts";
import { processData } from "./process-data.ts";
import { runCode } from "./run-code.ts";
import { sendEmail } from "./send-email.ts";
import type { AnyTool, Capabilities, CheckedCall, Tool, ToolContext, ToolResult } from "./tool.ts";
import { writeSpreadsheet } from "./write-spreadsheet.ts";

/** The tools of one execution. */
export interface Toolset {
  readonly names: readonly string[];
  check(name: string, input: Json): CheckedCall;
  run(name: string, input: Json, context: ToolContext): Promise<ToolResult>;
}

/** Tools that look at the outside and may run side by side. */
const READS: ReadonlySet<ToolName> = new Set(["browse", "http_request"]);

function anyTool<Input>(tool: Tool<Input>): AnyTool {
  return {
    name: tool.name,
    describe: describe(tool.name, tool.description, tool.input),
    check(raw, has) {
      const input = tool.input.safeParse(raw);
      if (!input.success) return { ok: false, message: z.prettifyError(input.error) };
      const effect = tool.effect(input.data);
      const read = READS.has(tool.name) ? "read" : "local";
      return {
        ok: true,
        kind: effect === null ? read : "effect",
        price: tool.price?.(input.data, has) ?? TOOL_PRICES[tool.name],
        target: effect?.target ?? "",
        description: tool.describe(input.data),
      };
    },
    run: (raw, context) => tool.run(tool.input.parse(raw), context),
  };
}

/** A call that the machine decides by itself; it is never run here. */
function controlTool(name: "finish" | "ask_user", description: string, input: z.ZodType): AnyTool {
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
  return { name, description, inputSchema: inputSchemaOf(input) };
}

const ASK_USER =
  "Ask the user a question and wait for the answer, which comes as the next message.";
const FINISH =
  "End the work with a summary for the user and, where data was asked for, the data. Use status failed when it could not be done, and say why.";

let built: AnyTool[] | null = null;

/** Built at the first use: the JSON Schemas are not needed by requests that start nothing. */
function ownTools(): AnyTool[] {
  built ??= [
    anyTool(browse),
    anyTool(httpRequest),
    anyTool(runCode),
    anyTool(processData),
    anyTool(sendEmail),
    anyTool(writeSpreadsheet),
    anyTool(emitOutput),
    controlTool("ask_user", ASK_USER, askUserInput),
    controlTool("finish", FINISH, finishInput),
  ];
  return built;
}

export interface ToolsetOptions {
  /** The allow-list. */
  tools: readonly string[];
  interactive: boolean;
  capabilities: Capabilities;
  /** Tools of remote servers; the allow-list decides about them as well. */
  remote: readonly AnyTool[];
}

/** The tools that an execution may use. `finish` is always there; `ask_user` only when it may ask. */
export function createToolset({ tools, interactive, capabilities: has, remote }: ToolsetOptions): {
  box: Toolset;
  descriptions: ToolDescription[];
} {
  const allowed = [...ownTools(), ...remote].filter(
    ({ name }) => name === "finish" || (name === "ask_user" ? interactive : covers(tools, name)),
  );
  const byName = new Map(allowed.map((tool) => [tool.name, tool]));
  const find = (name: string): AnyTool => {
    const found = byName.get(name);
    if (found === undefined) throw new Error(`there is no tool ${name} here`);
    return found;
  };
  return {
    box: {
      names: allowed.map(({ name }) => name),
      check: (name, input) => find(name).check(input, has),
      run: (name, input, context) => find(name).run(input, context),
    },
    descriptions: allowed.map((tool) => tool.describe),
  };
}

const variant = z.object({
  properties: z.record(z.string(), jsonObject),
  required: z.array(z.string()).default([]),
});
const union = z.object({ oneOf: z.array(variant).min(1) });
type Variant = z.infer<typeof variant>;

/**
 * The JSON Schema of a tool's input, as models take it: always an object. The APIs of OpenAI and
 * Anthropic refuse a tool whose input is `oneOf` several objects at the top, so these are shown as one
 * object with the properties of all; which of them belong together is checked when it is called.
 */
export function inputSchemaOf(input: z.ZodType): JsonObject {
  const schema = jsonObject.parse(
    JSON.parse(JSON.stringify(z.toJSONSchema(input, { io: "input" }))),
  );
  const several = union.safeParse(schema);
  return several.success ? merged(several.data.oneOf) : schema;
}

function merged(variants: readonly Variant[]): JsonObject {
  const names = new Set(variants.flatMap(({ properties }) => Object.keys(properties)));
  const properties = [...names].map((name) => [name, oneProperty(variants, name)]);
  const required = [...names].filter((name) =>
    variants.every((each) => each.required.includes(name)),
  );
  return { type: "object", properties: Object.fromEntries(properties), required };
}

function oneProperty(variants: readonly Variant[], name: string): JsonObject {
  const schemas = variants.map(({ properties }) => properties[name]).filter((each) => each != null);
  const distinct = [...new Map(schemas.map((each) => [JSON.stringify(each), each])).values()];
  const [first, ...others] = distinct;
  if (first && others.length === 0) return first;
  const constants = distinct.map((each) => each.const).filter((value) => value !== undefined);
  return constants.length === distinct.length ? { enum: constants } : { anyOf: distinct };
}

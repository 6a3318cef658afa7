import * as z from "zod";
import type { ToolDescription } from "../../contract/conversation.ts";
import { type Json, type JsonObject, jsonObject } from "../../contract/json.ts";
import { askUserInput, finishInput } from "../../contract/tools/call.ts";
import { covers, TOOLS } from "../../contract/tools/names.ts";
import { browse } from "./browse.ts";
import { emitOutput } from "./emit-output.ts";
import { httpRequest } from "./http-request.ts";
import { processData } from "./process-data.ts";
import { runCode } from "./run-code.ts";
import { searchWeb } from "./search-web.ts";
import { sendEmail } from "./send-email.ts";
import type { AnyTool, Capabilities, CheckedCall, Tool, ToolContext, ToolResult } from "./tool.ts";
import { writeSpreadsheet } from "./write-spreadsheet.ts";

/** The tools of one execution. */
export interface Toolset {
  readonly names: readonly string[];
  readonly descriptions: readonly ToolDescription[];
  check(name: string, input: Json): CheckedCall;
  run(name: string, input: Json, context: ToolContext): Promise<ToolResult>;
}

export interface ToolsetOptions {
  /** The allow-list. */
  tools: readonly string[];
  interactive: boolean;
  capabilities: Capabilities;
  /** Tools of remote servers; the allow-list applies to them as well. */
  remote: readonly AnyTool[];
}

/**
 * Returns the tools that an execution may use: always `finish`, `ask_user` if it may ask, and
 * `search_web` only where a search provider is configured.
 */
export function createToolset({
  tools,
  interactive,
  capabilities,
  remote,
}: ToolsetOptions): Toolset {
  const allowed = [...ownTools(), ...remote].filter(({ name }) => {
    if (name === "finish") return true;
    if (name === "ask_user") return interactive;
    if (name === "search_web" && !capabilities.search) return false;
    return covers(tools, name);
  });
  const byName = new Map(allowed.map((tool) => [tool.name, tool]));
  const find = (name: string): AnyTool => {
    const tool = byName.get(name);
    if (tool === undefined) throw new Error(`The execution has no tool ${name}.`);
    return tool;
  };
  return {
    names: [...byName.keys()],
    descriptions: allowed.map(({ description }) => description),
    check: (name, input) => find(name).check(input, capabilities),
    run: (name, input, context) => find(name).run(input, context),
  };
}

const ASK_USER =
  "Asks the user a question and waits for the answer, which is the next message of the user.";
const FINISH =
  "Ends the task with a summary for the user and, if data was requested, the data. Use status failed if the task could not be done, and say why: `reason` is source_unavailable if something that had to be read could not be read, else cannot_do.";

let built: AnyTool[] | null = null;

/** Builds the tools at the first use: requests that start nothing need no JSON Schemas. */
function ownTools(): AnyTool[] {
  built ??= [
    anyTool(browse),
    anyTool(searchWeb),
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

function anyTool<Input>(tool: Tool<Input>): AnyTool {
  const { name, description, input: schema } = tool;
  return {
    name,
    description: { name, description, inputSchema: inputSchemaOf(schema) },
    check(raw, capabilities) {
      const input = schema.safeParse(raw);
      if (!input.success) return { ok: false, message: z.prettifyError(input.error) };
      const effect = tool.effect(input.data);
      return {
        ok: true,
        kind: effect === null ? tool.kind : "effect",
        price: tool.price?.(input.data, capabilities) ?? TOOLS[name].price,
        target: effect?.target ?? "",
        description: tool.describe(input.data),
      };
    },
    run: (raw, context) => tool.run(schema.parse(raw), context),
  };
}

/** Makes a call that the machine itself decides; it never runs here. */
function controlTool(name: "finish" | "ask_user", description: string, schema: z.ZodType): AnyTool {
  return {
    name,
    description: { name, description, inputSchema: inputSchemaOf(schema) },
    check(raw) {
      const parsed = schema.safeParse(raw);
      if (!parsed.success) return { ok: false, message: z.prettifyError(parsed.error) };
      return { ok: true, kind: "control", price: TOOLS[name].price, target: "", description: name };
    },
    run: () => Promise.reject(new Error(`The machine decides ${name}.`)),
  };
}

const variant = z.object({
  properties: z.record(z.string(), jsonObject),
  required: z.array(z.string()).default([]),
});
const union = z.object({ oneOf: z.array(variant).min(1) });
type Variant = z.infer<typeof variant>;

/**
 * Returns the JSON Schema of a tool's input, always an object. The APIs of OpenAI and Anthropic reject a
 * top-level `oneOf`, so its variants are merged into one object with the properties of all; a call is
 * still checked against the variants.
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

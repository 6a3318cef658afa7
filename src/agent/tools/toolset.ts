import * as z from "zod";
import type { ToolDescription } from "../../contract/conversation.ts";
import { type Json, type JsonObject, json, jsonObject } from "../../contract/json.ts";
import { askUserInput, finishInput } from "../../contract/tools/call.ts";
import { covers, TOOLS, type ToolName } from "../../contract/tools/names.ts";
import { parametersOf, portableSchema, propertiesOf } from "../../lib/json-schema/portable.ts";
import type { AnyTool, CheckedCall, Tool, ToolContext, ToolResult } from "./tool.ts";

/** The tools with code of their own, each null where a deployment lacks what it needs. */
export type OwnTools = Readonly<Record<Exclude<ToolName, "ask_user" | "finish">, AnyTool | null>>;

/** The tools of one execution. */
export interface Toolset {
  readonly names: readonly string[];
  readonly descriptions: readonly ToolDescription[];
  /** Returns an input with the defaults of what it leaves out, which calls are compared by. */
  withDefaults(name: string, input: Json): Json;
  check(name: string, input: Json): CheckedCall;
  run(name: string, input: Json, context: ToolContext): Promise<ToolResult>;
}

export interface ToolsetOptions {
  own: OwnTools;
  /** The allow-list. */
  tools: readonly string[];
  interactive: boolean;
  /** Tools of remote servers; the allow-list applies to them as well. */
  remote: readonly AnyTool[];
  /** The schema of the result's data, or null. */
  outputSchema: JsonObject | null;
}

/** Returns the tools that an execution may use: always `finish`, and `ask_user` if it may ask. */
export function createToolset({
  own,
  tools,
  interactive,
  remote,
  outputSchema,
}: ToolsetOptions): Toolset {
  const ownTools = Object.values(own).filter((tool) => tool !== null);
  const allowed = [...ownTools, ...controls(outputSchema), ...remote].filter(({ name }) => {
    if (name === "finish") return true;
    return name === "ask_user" ? interactive : covers(tools, name);
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
    withDefaults: (name, input) => byName.get(name)?.withDefaults(input) ?? input,
    check: (name, input) => find(name).check(input),
    run: (name, input, context) => find(name).run(input, context),
  };
}

const ASK_USER =
  "Asks the user a question and waits for the answer, which is the next message of the user.";
const FINISH =
  "Ends the task with a summary for the user and, if data was requested, the data. Use status failed if the task could not be done, and say why.";

/** Returns the tools whose calls the machine itself decides. */
function controls(outputSchema: JsonObject | null): AnyTool[] {
  const askUser = anyTool(control("ask_user", ASK_USER, askUserInput));
  const finish = anyTool(control("finish", FINISH, finishInput));
  return [askUser, outputSchema === null ? finish : withData(finish, outputSchema)];
}

/** Gives `finish` the output schema for its `data`. */
function withData(finish: AnyTool, outputSchema: JsonObject): AnyTool {
  const { inputSchema } = finish.description;
  const schema = portableSchema(outputSchema);
  const data = {
    // A task that failed has no data.
    ...(Object.keys(schema).length === 0 ? {} : { anyOf: [schema, { type: "null" }] }),
    description: "The result; null if the status is failed.",
  };
  const properties = { ...propertiesOf(inputSchema), data };
  const described = { ...inputSchema, properties, required: ["status", "summary", "data"] };
  return {
    ...finish,
    description: { ...finish.description, inputSchema: described, hasOutputSchema: true },
  };
}

/** Returns a tool that checks its input itself, so that one list holds tools of all inputs. */
export function anyTool<Input>(tool: Tool<Input>): AnyTool {
  const { name, description, input: schema } = tool;
  return {
    name,
    description: { name, description, inputSchema: inputSchemaOf(schema) },
    withDefaults: (raw) => json.safeParse(schema.safeParse(raw).data).data ?? raw,
    check(raw) {
      const input = schema.safeParse(raw);
      if (!input.success) return refused(input.error);
      const effect = tool.effect?.(input.data) ?? null;
      return {
        ok: true,
        kind: effect === null ? tool.kind : "effect",
        price: tool.price?.(input.data) ?? TOOLS[name].price,
        target: effect?.target ?? "",
        description: tool.describe(input.data),
      };
    },
    run: (raw, context) => tool.run(schema.parse(raw), context),
  };
}

/** Returns what is wrong with an input: in words for the model, by field for people. */
function refused(error: z.ZodError): CheckedCall {
  const violations = error.issues.map(({ path, code, message }) => ({
    path: path.map(String).join("."),
    rule: code,
    message,
  }));
  return { ok: false, message: z.prettifyError(error), violations };
}

/** Makes a tool whose calls the machine itself decides; they never run here. */
function control<Input>(
  name: "finish" | "ask_user",
  description: string,
  input: z.ZodType<Input>,
): Tool<Input> {
  const run = () => Promise.reject(new Error(`The machine decides ${name}.`));
  return { name, description, input, kind: "control", describe: () => name, run };
}

const inputSchemas = new WeakMap<z.ZodType, JsonObject>();

/**
 * Returns the schema of a tool's input as models see it, made at the first use. Every step sends it, so
 * limits are left out and alternatives merged: an answer names the rule that a call breaks.
 */
function inputSchemaOf(input: z.ZodType): JsonObject {
  const known = inputSchemas.get(input);
  if (known !== undefined) return known;
  const whole = JSON.stringify(z.toJSONSchema(input, { io: "input" }));
  const schema = parametersOf(jsonObject.parse(JSON.parse(whole)), { alternatives: "merge" });
  inputSchemas.set(input, schema);
  return schema;
}

import type { Json, JsonObject } from "../../src/contract/json.ts";
import type { ToolName } from "../../src/contract/tools/names.ts";
import { call, type ScriptedCall } from "../support/model-server/behaviour.ts";
import type { Want } from "./expectation.ts";

/** A prompt with its surroundings, what it must come to, and one way to do it. */
export interface Task {
  id: string;
  prompt: string;
  want: Want;
  inputs?: JsonObject;
  outputSchema?: JsonObject;
  interactive?: boolean;
  /** Messages that arrive one by one while the model thinks about its first, second, ... step. */
  messages?: readonly string[];
  /** Answers to questions that may be asked. */
  replies?: readonly string[];
  /** Tools whose calls a person approves, or denies. */
  approvals?: ToolName[];
  decision?: "approve" | "deny";
  /** Webhooks that arrive one by one while the model waits; without one, its wait times out. */
  events?: readonly Json[];
  /** A model that is asked first and fails: at once and for good, or for a time. */
  failingFirst?: "unusable" | "down";
  /** Whether the model can search the web. */
  search?: boolean;
  /**
   * The calls of each step of a model that does the task. They prove that the tools can do it and that
   * the judge accepts the result.
   */
  solution: [step: ScriptedCall[], ...steps: ScriptedCall[][]];
}

/** Returns the calls of a step. */
export function step(...calls: ScriptedCall[]): ScriptedCall[] {
  return calls;
}

/** Returns the call that opens a page, by default under the id `page`. */
export function opens(url: string, id = "page"): ScriptedCall {
  return call("browse", { url }, id);
}

/** Returns the step that ends a task with an answer. */
export function ends(summary: string, data?: Json): ScriptedCall[] {
  return step(call("finish", { summary, ...(data === undefined ? {} : { data }) }));
}

/** Returns the step that gives a task up. */
export function givesUp(summary: string): ScriptedCall[] {
  return step(call("finish", { status: "failed", summary }));
}

/** Returns the schema of an object with exactly these properties. */
export function schemaOf(properties: Record<string, JsonObject>): JsonObject {
  return {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

export const TEXT: JsonObject = { type: "string" };
export const NUMBER: JsonObject = { type: "number" };
export const TEXTS: JsonObject = { type: "array", items: TEXT };

import * as z from "zod";
import { callbackAttempt } from "../../contract/callbacks.ts";
import { modelTry, storedTurn } from "../../contract/conversation.ts";
import { effect } from "../../contract/execution.ts";
import { jsonObject } from "../../contract/json.ts";
import { source, storedOutput } from "../../contract/outputs.ts";
import { executionSeed, messageAccepted } from "../../contract/session.ts";
import { remoteTool } from "../../ports/mcp.ts";

/** What one commit of an execution records. New kinds and fields are added, none is changed. */
const fact = z.discriminatedUnion("kind", [
  /** The input, in the first entry. */
  z.object({ kind: z.literal("seed"), seed: executionSeed }),
  /** Newer code may know more types. */
  z.object({ kind: z.literal("event"), type: z.string(), data: jsonObject }),
  z.object({ kind: z.literal("turn"), turn: storedTurn }),
  /** One call of a model. */
  modelTry.extend({ kind: z.literal("try") }),
  /** In place of a turn that older code dropped after the end: the facts behind it keep their places. */
  z.object({ kind: z.literal("dropped") }),
  /** Where a call's answer comes from, first the call itself; `isWhole` says that it read all of its source. */
  z.object({
    kind: z.literal("evidence"),
    callId: z.string(),
    sources: z.array(source),
    isWhole: z.boolean().exactOptional(),
  }),
  /** The bytes of a file are in the blob of the output's id. */
  z.object({ kind: z.literal("output"), callId: z.string(), output: storedOutput }),
  effect.omit({ effectId: true, idempotencyKey: true, at: true }).extend({
    kind: z.literal("effect"),
    callId: z.string(),
    state: effect.shape.state.exclude(["rehearsed"]),
  }),
  /** The remote tools of the execution, so that each step has the same. */
  z.object({ kind: z.literal("tools"), tools: z.array(remoteTool) }),
  /** The reply to a message; a repeat is recognised by one of these names and must have its content. */
  z.object({
    kind: z.literal("reply"),
    names: z.array(z.object({ name: z.string(), content: z.string() })),
    body: messageAccepted,
  }),
  z.object({ kind: z.literal("attempt"), attempt: callbackAttempt }),
]);
export type StoredFact = z.infer<typeof fact>;

const KINDS = new Set<string>(fact.options.map(({ shape }) => shape.kind.value));

/** What newer code recorded and this code does not know. */
const unknownFact = z
  .looseObject({ kind: z.string() })
  .refine(({ kind }) => !KINDS.has(kind))
  .transform(() => null);

/** One commit: its facts, the version that it led to, and its time in epoch milliseconds. */
export const entry = z.object({
  at: z.int(),
  version: z.int(),
  facts: z.array(z.union([fact, unknownFact])),
});
export type Entry = z.infer<typeof entry>;

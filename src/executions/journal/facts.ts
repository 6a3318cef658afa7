import * as z from "zod";
import { by } from "../../contract/actor.ts";
import { callbackAttempt } from "../../contract/callbacks.ts";
import type { Turn } from "../../contract/conversation.ts";
import { json, jsonObject } from "../../contract/json.ts";
import { source, storedOutput } from "../../contract/outputs.ts";
import { executionSeed, messageAccepted } from "../../contract/session.ts";

const answer = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), content: json }),
  z.object({ ok: z.literal(false), error: z.object({ code: z.string(), message: z.string() }) }),
]);

const metadata = z.record(z.string(), jsonObject);

const stepStart = z.object({
  at: z.int(),
  step: z.int(),
  stepsLeft: z.int(),
  creditsLeft: z.int(),
  stepPrice: z.int(),
  secondsLeft: z.int(),
});

/** A stored turn of the conversation. */
export const storedTurn: z.ZodType<Turn> = z.discriminatedUnion("role", [
  z.object({ role: z.literal("user"), text: z.string(), event: z.string().exactOptional() }),
  z.object({
    role: z.literal("assistant"),
    text: z.string(),
    calls: z.array(
      z.object({
        callId: z.string(),
        tool: z.string(),
        input: json,
        metadata: metadata.exactOptional(),
        truncated: z.boolean().exactOptional(),
      }),
    ),
    plan: z.array(z.string()).exactOptional(),
    reasoning: z
      .array(z.object({ text: z.string(), metadata: metadata.exactOptional() }))
      .exactOptional(),
    start: stepStart.exactOptional(),
    fault: z.string().exactOptional(),
  }),
  z.object({
    role: z.literal("tool"),
    callId: z.string(),
    tool: z.string(),
    answer,
    note: z.string().exactOptional(),
  }),
]);

const remoteTool = z.object({
  name: z.string(),
  remoteName: z.string(),
  serverId: z.string(),
  server: z.string(),
  description: z.string(),
  inputSchema: jsonObject,
  readOnly: z.boolean(),
});

const tokenUsage = z.object({
  inputTokens: z.int(),
  outputTokens: z.int(),
  cachedTokens: z.int(),
  reasoningTokens: z.int().exactOptional(),
});

/** What one commit of an execution records. New kinds and fields are added, none is changed. */
const fact = z.discriminatedUnion("kind", [
  /** The input, in the first entry. */
  z.object({ kind: z.literal("seed"), seed: executionSeed }),
  /** Newer code may know more types. */
  z.object({ kind: z.literal("event"), type: z.string(), data: jsonObject }),
  z.object({ kind: z.literal("turn"), turn: storedTurn }),
  /** One call of a model. */
  z.object({
    kind: z.literal("try"),
    step: z.int(),
    model: z.string(),
    at: z.int(),
    durationMs: z.int(),
    firstTokenMs: z.int().exactOptional(),
    tokensPerSecond: z.number().exactOptional(),
    usage: tokenUsage.exactOptional(),
    error: z.string().exactOptional(),
    status: z.int().exactOptional(),
  }),
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
  z.object({
    kind: z.literal("effect"),
    callId: z.string(),
    tool: z.string(),
    target: z.string(),
    state: z.enum(["uncertain", "confirmed", "failed"]),
    truncated: z.boolean().exactOptional(),
    input: json.exactOptional(),
    askedInput: json.exactOptional(),
    approvedBy: by.exactOptional(),
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

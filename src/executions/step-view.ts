import type { SentStep } from "../agent/models/registry.ts";
import type { ModelRequest, ModelTry, StepStart, Turn } from "../contract/conversation.ts";
import { jsonObject } from "../contract/json.ts";
import { costOf } from "../contract/models.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import type { ExecutionStep } from "../contract/task.ts";
import { redactByName } from "../lib/redaction.ts";

/** What is stored of one call of the model. */
export interface StoredStep {
  step: number;
  /** The conversation before it. */
  before: readonly Turn[];
  reply: (Turn & { role: "assistant" }) | null;
  tries: readonly ModelTry[];
}

/** Finds a step in what is stored; null if there is none, or if older code has dropped it. */
export function findStep(
  turns: readonly Turn[],
  tries: readonly ModelTry[],
  step: number,
): StoredStep | null {
  const of = tries.filter((each) => each.step === step);
  const at = turns.findLastIndex(
    (turn) => turn.role === "assistant" && turn.fault === undefined && turn.start?.step === step,
  );
  const reply = turns[at];
  if (reply?.role === "assistant") return { step, before: turns.slice(0, at), reply, tries: of };
  const isNewest = tries.at(-1)?.step === step;
  return isNewest ? { step, before: turns, reply: null, tries: of } : null;
}

/** Returns the request of a step. Secrets in inputs and answers are redacted by their names. */
export function requestOf(
  { step, before, reply, tries }: StoredStep,
  seed: ExecutionSeed,
  own: Pick<ModelRequest, "tools" | "taskFiles" | "files">,
): ModelRequest {
  const start = reply?.start ?? unknownStart(step, tries, seed);
  return {
    inputs: seed.inputs === null ? null : jsonObject.parse(redactByName(seed.inputs)),
    outputSchema: seed.outputSchema,
    interactive: seed.interactive,
    turns: before.map(redacted),
    ...own,
    now: new Date(start.at),
    start,
  };
}

/** The start of a step that has no reply is not stored. */
function unknownStart(
  step: number,
  tries: readonly ModelTry[],
  { maxSteps, heldCredits, timeoutSeconds, createdAt }: ExecutionSeed,
): StepStart {
  return {
    at: tries[0]?.at ?? createdAt,
    step,
    stepsLeft: maxSteps - step + 1,
    creditsLeft: heldCredits,
    stepPrice: 1,
    secondsLeft: timeoutSeconds,
  };
}

function redacted(turn: Turn): Turn {
  switch (turn.role) {
    case "user":
      return turn;
    case "assistant":
      return {
        ...turn,
        calls: turn.calls.map((call) => ({ ...call, input: redactByName(call.input) })),
      };
    case "tool": {
      const { answer } = turn;
      return answer.ok
        ? { ...turn, answer: { ...answer, content: redactByName(answer.content) } }
        : turn;
    }
  }
}

/** Returns a step as the API shows it. */
export function stepView(
  { step, reply, tries }: StoredStep,
  { messages, curl }: SentStep,
  seed: ExecutionSeed,
): ExecutionStep {
  const last = tries.at(-1);
  const first = tries[0];
  const model = last?.model ?? seed.model;
  const { usage } = last ?? {};
  const price = seed.chosen?.find((each) => each.model === model)?.price;
  const cost = usage && price && costOf(usage, price);
  const thought = reply?.reasoning?.map(({ text }) => text).join("\n\n");
  return {
    step,
    model,
    messages,
    reply: reply && {
      text: reply.text,
      ...(thought && { reasoning: thought }),
      calls: reply.calls.map(({ callId, tool, input }) => ({
        callId,
        tool,
        input: redactByName(input),
      })),
    },
    tries: tries.map(({ model: asked, at, status, error, durationMs }) => ({
      model: asked,
      at: new Date(at).toISOString(),
      ...(status !== undefined && { status }),
      ...(error !== undefined && { error }),
      durationMs,
    })),
    usage: {
      inputTokens: usage?.inputTokens ?? 0,
      cachedInputTokens: usage?.cachedTokens ?? 0,
      outputTokens: usage?.outputTokens ?? 0,
      reasoningTokens: usage?.reasoningTokens ?? 0,
      ...(cost !== undefined && { costUsd: cost }),
    },
    durationMs: last && first ? last.at + last.durationMs - first.at : 0,
    firstTokenMs: last?.firstTokenMs ?? null,
    tokensPerSecond: last?.tokensPerSecond ?? null,
    curl,
  };
}

/** What fits into one call of a model, in tokens. */
export interface ModelWindow {
  /** Prompt and answer together. */
  context: number;
  /** Kept free for the answer, and the most that a model is asked to write. */
  answer: number;
}

/**
 * Bytes of prompt for each token of the window. Prose has about 4 (of any script), JSON and HTML
 * about 3, long numbers on models that read digit by digit fewer: 2.5 leaves room for a mixture.
 */
export const BYTES_PER_TOKEN = 2.5;

/** A longer prompt costs more, each step again, than it helps. */
const LARGEST_PROMPT_BYTES = 240_000;

/** From here on a window is larger than the largest prompt, however much larger. */
const LARGE = 128_000;
const LARGEST_ANSWER = 16_384;

/**
 * Context windows in tokens; the first pattern that matches counts. From the model pages of
 * platform.claude.com, platform.openai.com and developers.cloudflare.com/workers-ai, November 2026.
 * Where Workers AI was seen to enforce less than its page says, that is what stands here.
 */
const WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/^anthropic\/claude-/, 200_000],
  [/^openai\/gpt-3\.5/, 16_000],
  [/^openai\/gpt-4(?:-\d{4})?$/, 8_000],
  [/^openai\/(?:gpt-4|gpt-[5-9]|chatgpt-|o\d)/, LARGE],
  [/^workers-ai\/@cf\/openai\/gpt-oss/, LARGE],
  [/^workers-ai\/@cf\/(?:moonshotai\/kimi-k2|zai-org\/glm-|deepseek-ai\/deepseek-v)/, LARGE],
  [/^workers-ai\/@cf\/(?:qwen\/qwen3\.8|google\/gemma-4|nvidia\/nemotron-3)/, LARGE],
  [/^workers-ai\/@cf\/(?:meta\/llama-4|mistralai\/mistral-small-3|ibm-granite\/granite-4)/, LARGE],
  [/^workers-ai\/@cf\/(?:qwen\/qwen[23]|meta\/llama-3\.1-8b-instruct-f)/, 32_000],
  [/^workers-ai\/@cf\/meta\/llama-3\.3/, 24_000],
  [/^workers-ai\/@cf\/meta\/llama-3(?:\.1)?-8b-instruct/, 8_000],
  [/^workers-ai\//, 24_000],
];

/** Of a model that nobody knows, mostly one on a server of one's own. */
const UNKNOWN = 32_000;

/** The window of the model of this name, `provider/name`; `context` when the operator knows better. */
export function windowOf(name: string, context: number | undefined): ModelWindow {
  const known = WINDOWS.find(([pattern]) => pattern.test(name))?.[1] ?? UNKNOWN;
  const tokens = context ?? known;
  return { context: tokens, answer: Math.min(LARGEST_ANSWER, Math.floor(tokens / 4)) };
}

/** How long a prompt for this window may be, in bytes, with its instructions and tools. */
export function promptBytes({ context, answer }: ModelWindow): number {
  return Math.min(LARGEST_PROMPT_BYTES, Math.floor((context - answer) * BYTES_PER_TOKEN));
}

/**
 * What a language model sees of a conversation that outgrows its window. All lengths are bytes of
 * UTF-8: a byte costs a model about the same in every script, a character does not. The rule, for a
 * conversation that has `room`:
 *
 * 1. What the user said is never cut. When that alone exceeds the room, the conversation does not fit.
 * 2. A step is one reply of the model with its calls and their answers. The newest step comes whole,
 *    each answer up to `whole`; when so many answers came at once that they exceed the room, each gets
 *    an equal share of it. Older steps stay exactly as they were shown when they were the newest.
 * 3. When a new step no longer fits, the oldest are shortened, one after another, until all of it
 *    fills no more than GOAL of the room: their texts, inputs and answers come with the first `short`
 *    bytes each. If even that exceeds the room, the oldest steps are left out in the same way.
 * 4. Only when nothing else is left is the newest step shortened too.
 *
 * The rule is replayed from the first step on, so it needs no memory; and since it makes more room than
 * it needs at once, what was sent before stays the beginning of what is sent next for many steps, which
 * is what providers cache.
 */
const LARGEST_WHOLE = 16_384;
export const MAX_SHORT_BYTES = 1_024;
const LEAST_SHORT = 128;
const GOAL = 0.75;

/** What goes around a text or input in a request: names, ids, punctuation. */
export const SAID_OVERHEAD = 200;
/** The same of an answer, with its marks and the note that it was cut. */
export const ANSWER_OVERHEAD = 400;
/** The note in the place of steps that were left out. */
export const OMITTED_OVERHEAD = 200;

/** One entry of a conversation, by its lengths. */
export type Entry =
  | { kind: "user"; length: number }
  /** `said` are the lengths of the reply's text and of each input. */
  | { kind: "step"; said: number[]; answers: number[] };

/** How a step is shown: each text or input, and each answer, up to so many bytes; or not at all. */
export type StepLimits = { gone: false; said: number; answer: number } | { gone: true };

/** How each step is shown, in their order; or what the least would have needed. */
export type Fit = { ok: true; steps: StepLimits[] } | { ok: false; needs: number };

/** The most that is shown of an answer while its step is whole, and of anything once it is short. */
export function limitsFor(room: number): { whole: number; short: number } {
  const short = Math.max(LEAST_SHORT, Math.min(MAX_SHORT_BYTES, Math.floor(room / 64)));
  return { whole: Math.max(short, Math.min(LARGEST_WHOLE, Math.floor(room / 4))), short };
}

/** Applies the rule to a whole conversation. */
export function fitConversation(entries: readonly Entry[], room: number): Fit {
  const caps = limitsFor(room);
  const steps: { whole: StepLimits & { gone: false }; wholeSize: number; shortSize: number }[] = [];
  const short = { gone: false, said: caps.short, answer: caps.short } as const;
  let users = OMITTED_OVERHEAD;
  let used = users;
  /** Steps before these are shortened, and left out. */
  let shortened = 0;
  let dropped = 0;

  function makeRoom(): void {
    if (used <= room) return;
    const newest = steps.length - 1;
    while (used > room * GOAL && shortened < newest) shorten();
    if (used > room) while (used > room * GOAL && dropped < newest) drop();
    if (used > room && shortened === newest) shorten();
  }
  function shorten(): void {
    const step = steps[shortened++];
    if (step !== undefined) used -= step.wholeSize - step.shortSize;
  }
  function drop(): void {
    used -= steps[dropped++]?.shortSize ?? 0;
  }

  for (const entry of entries) {
    if (entry.kind === "user") {
      users += entry.length;
      used += entry.length;
    } else {
      const bare = sizeOf(entry, { said: Number.POSITIVE_INFINITY, answer: 0 });
      const share = Math.floor((room - users - bare) / Math.max(1, entry.answers.length));
      const answer = Math.max(caps.short, Math.min(caps.whole, share));
      const whole = { gone: false, said: Number.POSITIVE_INFINITY, answer } as const;
      const wholeSize = sizeOf(entry, whole);
      steps.push({ whole, wholeSize, shortSize: sizeOf(entry, short) });
      used += wholeSize;
    }
    makeRoom();
  }
  if (used > room) return { ok: false, needs: used };
  return {
    ok: true,
    steps: steps.map(({ whole }, index) => {
      if (index < dropped) return { gone: true };
      return index < shortened ? short : whole;
    }),
  };
}

function sizeOf(
  { said, answers }: Entry & { kind: "step" },
  caps: { said: number; answer: number },
): number {
  const sum = (lengths: number[], cap: number, overhead: number) =>
    lengths.reduce((total, length) => total + Math.min(length, cap) + overhead, 0);
  return sum(said, caps.said, SAID_OVERHEAD) + sum(answers, caps.answer, ANSWER_OVERHEAD);
}

/** The context window of a model, in tokens. */
export interface ModelWindow {
  /** Prompt and reply together. */
  context: number;
  /** The room for the reply, and its limit. */
  answer: number;
}

/**
 * Bytes of prompt for each token of the window. Prose has about 4 (of any script), JSON and HTML
 * about 3, long numbers on models that read digit by digit fewer: 2.5 leaves room for a mixture.
 */
const BYTES_PER_TOKEN = 2.5;

/** A longer prompt costs more in each step than it helps. */
const LARGEST_PROMPT_BYTES = 240_000;

const LARGEST_ANSWER = 16_384;

/** Returns the window of a model that takes so many tokens. */
export function windowOf(context: number): ModelWindow {
  return { context, answer: Math.min(LARGEST_ANSWER, Math.floor(context / 4)) };
}

/** Returns the longest prompt for a window in bytes, including instructions and tools. */
export function promptBytes({ context, answer }: ModelWindow): number {
  return Math.min(LARGEST_PROMPT_BYTES, Math.floor((context - answer) * BYTES_PER_TOKEN));
}

const LARGEST_WHOLE = 16_384;
export const MAX_SHORT_BYTES = 1_024;
const LEAST_SHORT = 128;
const GOAL = 0.75;

/** The overhead of a text or input in a request: names, ids, punctuation. */
export const SAID_OVERHEAD = 200;
/** The overhead of an answer, with its marks and the note that it was cut. */
export const ANSWER_OVERHEAD = 700;
/** The note in place of omitted steps, or of omitted calls. */
export const OMITTED_OVERHEAD = 200;

/** The lengths of one entry of a conversation. */
export type Entry = { kind: "user"; length: number } | StepEntry;

interface StepEntry {
  kind: "step";
  /** The lengths of the reply's text and of each part of its reasoning. */
  said: number[];
  /** The lengths of the calls' inputs and answers. */
  inputs: number[];
  answers: number[];
  /** The length of lines that are never cut. */
  notes: number;
}

/**
 * The most bytes of each of a step's texts and inputs and of its answers, and the number of its calls that
 * are shown; or that it is omitted.
 */
export type StepLimits =
  | { gone: false; said: number; answer: number; calls: number }
  | { gone: true };

/**
 * The limits of each step in order, or the least room that the conversation needs. `settled` is the number
 * of the oldest steps that were short before the newest step: the prompt so far begins like the last one.
 */
export type Fit = { ok: true; steps: StepLimits[]; settled: number } | { ok: false; needs: number };

/** Returns the most bytes of an answer in a whole step, and of any part in a short one. */
export function limitsFor(room: number): { whole: number; short: number } {
  const short = Math.max(LEAST_SHORT, Math.min(MAX_SHORT_BYTES, Math.floor(room / 64)));
  return { whole: Math.max(short, Math.min(LARGEST_WHOLE, Math.floor(room / 4))), short };
}

/**
 * Fits a conversation into a language model's window. All lengths are bytes of UTF-8: a byte costs a
 * model about the same in every script, a character does not. The rule for a conversation with `room`:
 *
 * 1. The user's messages are never cut. If they alone exceed the room, the conversation does not fit.
 * 2. A step is one reply of the model with its calls and their answers. The newest step is complete,
 *    with each answer up to `whole`; if its answers exceed the room, each gets an equal share. Older
 *    steps stay exactly as they were when they were the newest.
 * 3. If a new step does not fit, the oldest steps are shortened, one by one, until the conversation
 *    fills no more than GOAL of the room: each text, input and answer keeps its first `short` bytes. If
 *    that still exceeds the room, the oldest steps are left out in the same way.
 * 4. The newest step is shortened last: if the first `short` bytes of each part are still too long, each
 *    gets an equal share of at least LEAST_SHORT. Calls for which that leaves no room are omitted, with
 *    their answers, from the last one on.
 *
 * The rule is replayed from the first step at each step, so it needs no state. It frees more room than it
 * needs at once, so that for many steps each prompt starts with the previous one, which providers cache.
 */
export function fitConversation(entries: readonly Entry[], room: number): Fit {
  const caps = limitsFor(room);
  const calls = Number.POSITIVE_INFINITY;
  const short = { gone: false, said: caps.short, answer: caps.short, calls } as const;
  const wholeOf = (answer: number) =>
    ({ gone: false, said: Number.POSITIVE_INFINITY, answer, calls }) as const;
  const largest = wholeOf(caps.whole);
  const limits: StepLimits[] = [];
  const wholeSizes: number[] = [];
  const shortSizes: number[] = [];
  let last: StepEntry | null = null;
  let users = OMITTED_OVERHEAD;
  let used = users;
  /** The number of the oldest steps that are shortened, and omitted. */
  let shortened = 0;
  let dropped = 0;
  let settled = 0;

  function makeRoom(): void {
    if (used <= room) return;
    const newest = limits.length - 1;
    while (used > room * GOAL && shortened < newest) shorten();
    if (used > room) while (used > room * GOAL && dropped < newest) drop();
    if (used > room && shortened === newest) shorten();
    if (used > room) squeeze(newest);
  }
  function shorten(): void {
    used -= (wholeSizes[shortened] ?? 0) - (shortSizes[shortened] ?? 0);
    limits[shortened++] = short;
  }
  function drop(): void {
    used -= shortSizes[dropped] ?? 0;
    limits[dropped++] = GONE;
  }

  function squeeze(newest: number): void {
    const size = shortSizes[newest] ?? 0;
    const squeezed = last === null ? null : squeezeStep(last, room - used + size, caps.short);
    if (squeezed === null) return;
    limits[newest] = squeezed.limits;
    shortSizes[newest] = squeezed.size;
    used += squeezed.size - size;
  }

  for (const entry of entries) {
    if (entry.kind === "user") {
      users += entry.length;
      used += entry.length;
    } else {
      const { answers } = entry;
      const said = [...entry.said, ...entry.inputs];
      const around = overheadOf(entry);
      const bare = around + capped(said, Number.POSITIVE_INFINITY);
      const share = Math.floor((room - users - bare) / Math.max(1, answers.length));
      const answer = Math.max(caps.short, Math.min(caps.whole, share));
      const wholeSize = bare + capped(answers, answer);
      settled = shortened;
      last = entry;
      limits.push(answer === caps.whole ? largest : wholeOf(answer));
      wholeSizes.push(wholeSize);
      shortSizes.push(around + capped(said, caps.short) + capped(answers, caps.short));
      used += wholeSize;
    }
    makeRoom();
  }
  return used > room ? { ok: false, needs: used } : { ok: true, settled, steps: limits };
}

const GONE: StepLimits = { gone: true };

/** Returns the length of a step's first calls without their inputs and answers, and of all that is not cut. */
function overheadOf({ said, inputs, notes }: StepEntry, calls = inputs.length): number {
  return notes + (said.length + calls) * SAID_OVERHEAD + calls * ANSWER_OVERHEAD;
}

/** Returns the limits by which as many calls of a step as possible fit, and its length; null if none does. */
function squeezeStep(step: StepEntry, room: number, most: number) {
  const { said, inputs, answers } = step;
  const each = 2 * LEAST_SHORT + SAID_OVERHEAD + ANSWER_OVERHEAD;
  const around = overheadOf(step, 0) + said.length * LEAST_SHORT + OMITTED_OVERHEAD;
  const calls = Math.min(inputs.length, Math.floor((room - around) / each));
  if (calls < Math.min(1, inputs.length) || calls < 0) return null;
  const overhead = overheadOf(step, calls) + OMITTED_OVERHEAD;
  const share = Math.min(most, Math.floor((room - overhead) / (said.length + 2 * calls)));
  const shown = [...said, ...inputs.slice(0, calls), ...answers.slice(0, calls)];
  const limits = { gone: false, said: share, answer: share, calls } as const;
  return { limits, size: overhead + capped(shown, share) };
}

/** Returns the sum of lengths, each up to `most`. */
function capped(lengths: readonly number[], most: number): number {
  let sum = 0;
  for (const length of lengths) sum += Math.min(length, most);
  return sum;
}

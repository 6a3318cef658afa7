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
export const LARGEST_SHORT = 1_024;
const LEAST_SHORT = 128;
const GOAL = 0.75;

/** What goes around a text or input in a request: names, ids, punctuation. */
export const SAID_OVERHEAD = 200;
/** The same of an answer, with its marks and the note that it was cut. */
export const ANSWER_OVERHEAD = 400;
/** The note in the place of steps that were left out. */
export const GONE_OVERHEAD = 200;

/** One entry of a conversation, by its lengths. */
export type Entry =
  | { kind: "user"; length: number }
  /** `said` are the lengths of the reply's text and of each input. */
  | { kind: "step"; said: number[]; answers: number[] };

/** How a step is shown: each text or input, and each answer, up to so many bytes; or not at all. */
export type Shown = { gone: false; said: number; answer: number } | { gone: true };

/** How each step is shown, in their order; or what the least would have needed. */
export type Fit = { ok: true; steps: Shown[] } | { ok: false; needs: number };

/** The most that is shown of an answer while its step is whole, and of anything once it is short. */
export function capsOf(room: number): { whole: number; short: number } {
  const short = Math.max(LEAST_SHORT, Math.min(LARGEST_SHORT, Math.floor(room / 64)));
  return { whole: Math.max(short, Math.min(LARGEST_WHOLE, Math.floor(room / 4))), short };
}

/** Applies the rule to a whole conversation. */
export function fitInto(entries: readonly Entry[], room: number): Fit {
  const caps = capsOf(room);
  const steps: { whole: Shown & { gone: false }; wholeSize: number; shortSize: number }[] = [];
  const short = { gone: false, said: caps.short, answer: caps.short } as const;
  let users = GONE_OVERHEAD;
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

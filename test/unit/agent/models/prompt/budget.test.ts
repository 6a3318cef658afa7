import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { factsOf } from "../../../../../src/agent/models/catalogue.ts";
import {
  ANSWER_OVERHEAD,
  type Entry,
  type Fit,
  fitConversation,
  limitsFor,
  OMITTED_OVERHEAD,
  promptBytes,
  SAID_OVERHEAD,
  type StepLimits,
  windowOf,
} from "../../../../../src/agent/models/prompt/budget.ts";

const ROOM = 200_000;
const { short } = limitsFor(ROOM);

const user = (length: number): Entry => ({ kind: "user", length });
const step = (...answers: number[]): Entry => ({
  kind: "step",
  said: [0],
  inputs: answers.map(() => 50),
  answers,
  notes: 0,
});
const repeat = (count: number, entry: Entry): Entry[] => new Array<Entry>(count).fill(entry);

/** The length of a conversation as it is shown, with all that stands around it. */
function sizeOf(entries: readonly Entry[], shown: readonly StepLimits[]): number {
  const steps = shown.values();
  return entries.reduce((total, entry) => {
    if (entry.kind === "user") return total + entry.length;
    const how = steps.next().value;
    if (how === undefined || how.gone) return total;
    const inputs = entry.inputs.slice(0, how.calls);
    const said = [...entry.said, ...inputs].map(
      (length) => Math.min(length, how.said) + SAID_OVERHEAD,
    );
    const answers = entry.answers
      .slice(0, how.calls)
      .map((length) => Math.min(length, how.answer) + ANSWER_OVERHEAD);
    const note = inputs.length < entry.inputs.length ? OMITTED_OVERHEAD : 0;
    return total + [note, entry.notes, ...said, ...answers].reduce((sum, each) => sum + each, 0);
  }, OMITTED_OVERHEAD);
}

function stepsOf(found: Fit): StepLimits[] {
  if (!found.ok) throw new Error(`it needs ${found.needs}`);
  return found.steps;
}

/** How each step is shown, in a word. */
const levels = (found: Fit) =>
  stepsOf(found).map((how) => {
    if (how.gone) return "gone";
    return how.said === Number.POSITIVE_INFINITY ? "whole" : "short";
  });
const countOf = (found: Fit, level: string) => levels(found).filter((l) => l === level).length;

const lengths = fc.integer({ min: 0, max: 60_000 });
const conversation = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 2_000 }).map(user) },
    {
      weight: 6,
      arbitrary: fc
        .tuple(
          fc.oneof(fc.array(lengths, { maxLength: 4 }), fc.array(lengths, { maxLength: 32 })),
          fc.integer({ min: 0, max: 3_000 }),
        )
        .map(
          ([answers, input]): Entry => ({
            kind: "step",
            said: [100],
            inputs: answers.map(() => input),
            answers,
            notes: answers.length * 50,
          }),
        ),
    },
  ),
  { maxLength: 60 },
);
const rooms = fc.integer({ min: 2_000, max: 240_000 });

describe("fitConversation", () => {
  it("shortens the oldest steps first, more than necessary", () => {
    const found = fitConversation([user(5_000), ...repeat(12, step(20_000))], ROOM);
    // Eleven whole steps fit; with the twelfth there are as many as fill three quarters.
    expect(levels(found)).toEqual([...repeatWord(5, "short"), ...repeatWord(7, "whole")]);
  });

  it("omits the oldest steps if even their beginnings do not fit", () => {
    const found = fitConversation([user(5_000), ...repeat(400, step(20_000))], ROOM);
    expect(countOf(found, "gone")).toBeGreaterThan(100);
    expect(levels(found).at(-1)).toBe("whole");
  });

  it("shares the room between answers that exceed it together", () => {
    const found = fitConversation(
      [user(0), { kind: "step", said: [], inputs: none(32), answers: big(32), notes: 0 }],
      ROOM,
    );
    const around = 32 * (ANSWER_OVERHEAD + SAID_OVERHEAD);
    const share = Math.floor((ROOM - OMITTED_OVERHEAD - around) / 32);
    expect(stepsOf(found)).toEqual([expect.objectContaining({ answer: share })]);
  });

  it("shortens the newest step last", () => {
    const found = fitConversation(
      [user(ROOM - 8_000), { kind: "step", said: [50_000], inputs: [0], answers: [9], notes: 0 }],
      ROOM,
    );
    expect(stepsOf(found)).toEqual([{ gone: false, said: short, answer: short, calls: all }]);
  });

  it("gives each part of the newest step an equal share if it exceeds the room even shortened", () => {
    const many = step(...big(32));
    const room = 40_000;
    const found = fitConversation([user(1_000), step(20_000), many], room);
    const [older, newest] = stepsOf(found);
    expect(older).toEqual({ gone: true });
    expect(newest).toMatchObject({ calls: 32, answer: expect.any(Number) });
    const answer = newest?.gone === false ? newest.answer : 0;
    expect(answer).toBeLessThan(limitsFor(room).short);
    expect(answer).toBeGreaterThan(128);
  });

  it("omits calls of the newest step if their minimum does not fit", () => {
    const found = fitConversation([user(1_000), step(...big(32))], 12_000);
    const [newest] = stepsOf(found);
    expect(newest).toMatchObject({ gone: false, answer: expect.any(Number) });
    const calls = newest?.gone === false ? newest.calls : 0;
    expect(calls).toBeGreaterThan(5);
    expect(calls).toBeLessThan(32);
  });

  it("reports the needed size if the user's words alone are too long", () => {
    const found = fitConversation([user(ROOM + 1), step(10)], ROOM);
    expect(found).toMatchObject({ ok: false });
    expect(!found.ok && found.needs).toBeGreaterThan(ROOM);
  });

  it("never exceeds the room, and fails only if the minimum would", () => {
    fc.assert(
      fc.property(conversation, rooms, (entries, room) => {
        const found = fitConversation(entries, room);
        if (found.ok) expect(sizeOf(entries, found.steps)).toBeLessThanOrEqual(room);
        else expect(found.needs).toBeGreaterThan(room);
      }),
    );
  });

  it("never shows more of an older step than of a newer one", () => {
    const order = ["gone", "short", "whole"];
    fc.assert(
      fc.property(conversation, rooms, (entries, room) => {
        const found = fitConversation(entries, room);
        if (!found.ok) return;
        const ranks = levels(found).map((level) => order.indexOf(level));
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
      }),
    );
  });

  it("shows the same as before until the room is full, and never more", () => {
    fc.assert(
      fc.property(conversation, rooms, (entries, room) => {
        const before = fitConversation(entries.slice(0, -1), room);
        const after = fitConversation(entries, room);
        if (!before.ok || !after.ok) return;
        const old = after.steps.slice(0, before.steps.length);
        for (const [index, how] of before.steps.entries()) {
          expect(atMost(old[index], how)).toBe(true);
        }
        const shown = [...before.steps, ...after.steps.slice(before.steps.length)];
        const hadRoom = sizeOf(entries, shown) <= room && levels(after).at(-1) !== "short";
        if (hadRoom) expect(old).toEqual(before.steps);
      }),
    );
  });

  it("keeps the beginning of a growing conversation stable for many steps", () => {
    const entries = [user(1_000), ...repeat(60, step(5_000))];
    const shown = entries.map((_, index) =>
      stepsOf(fitConversation(entries.slice(0, index + 1), ROOM)),
    );
    const changes = shown.filter((steps, index) => {
      const before = shown[index - 1] ?? [];
      return JSON.stringify(steps.slice(0, before.length)) !== JSON.stringify(before);
    });
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.length).toBeLessThan(6);
  });
});

function atMost(now: StepLimits | undefined, before: StepLimits): boolean {
  if (now === undefined) return false;
  if (before.gone) return now.gone;
  return (
    now.gone ||
    (now.said <= before.said && now.answer <= before.answer && now.calls <= before.calls)
  );
}

function repeatWord(count: number, word: string): string[] {
  return new Array<string>(count).fill(word);
}

const all = Number.POSITIVE_INFINITY;
const none = (count: number) => new Array<number>(count).fill(0);

function big(count: number): number[] {
  return new Array<number>(count).fill(1_000_000);
}

describe("windowOf", () => {
  it.each([
    ["anthropic/claude-haiku-4-5", 200_000],
    ["openai/llama3.3:70b", 32_000],
    ["workers-ai/@cf/some/new-model", 24_000],
  ])("knows the window of %s, or assumes a small one", (name, context) => {
    expect(windowOf(factsOf(name).contextWindow).context).toBe(context);
  });
});

it("a prompt gets the window less the answer, at 2.5 bytes a token, up to 240,000 bytes", () => {
  expect(promptBytes({ context: 24_000, answer: 6_000 })).toBe(45_000);
  expect(promptBytes({ context: 1_000_000, answer: 16_384 })).toBe(240_000);
});

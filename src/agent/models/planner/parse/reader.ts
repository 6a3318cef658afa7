import { ARRANGEMENTS } from "./arrangements.ts";
import { conditionFrames } from "./conditions.ts";
import type { TableFacts } from "./facts.ts";
import { EMPTY, type Frame } from "./frame.ts";
import { matchEnd, patternOf } from "./grammar.ts";
import { type Item, isOp } from "./items.ts";
import { WORDINGS } from "./wordings.ts";

/** What a phrase is read with: its items, their neighbours and the frame so far. */
export interface Phrase {
  slice: readonly Item[];
  items: readonly Item[];
  at: number;
  facts: TableFacts;
  frame: Frame;
  before: Item | undefined;
  after: Item | undefined;
  /** Whether an earlier part left rows that "it" may name. */
  hasEarlier: boolean;
}

/** Returns what a phrase changes of the frame, in each way that it can be read. */
export type PhraseReader = (phrase: Phrase) => Partial<Frame>[];

const PHRASES = [...WORDINGS, ...ARRANGEMENTS].map(([shown, read]) => ({
  pattern: patternOf(shown),
  read,
}));

/** Frames, or the item at which the furthest reading ends. */
export type FrameReadings = { ok: true; frames: Frame[] } | { ok: false; stuck: Item };

interface State {
  at: number;
  frame: Frame;
}

const BEAM = 24;

/** Reads a sequence of items as a question, in every way that its ambiguous phrases allow. */
export function framesOf(
  items: readonly Item[],
  facts: TableFacts,
  hasEarlier: boolean,
): FrameReadings {
  const states: State[][] = [[{ at: 0, frame: EMPTY }]];
  let stuck = items[0];
  for (const [at, item] of items.entries()) {
    for (const { frame } of (states[at] ?? []).slice(0, BEAM)) {
      stuck = item;
      for (const next of nextStates({ items, at, frame, facts, hasEarlier })) {
        states[next.at] = [...(states[next.at] ?? []), next];
      }
    }
  }
  const frames = (states[items.length] ?? []).map(({ frame }) => frame).filter(isWhole);
  if (frames.length > 0) return { ok: true, frames };
  if (stuck !== undefined) return { ok: false, stuck };
  return { ok: true, frames: [EMPTY] };
}

/** Whether every phrase found what it announces. */
function isWhole({ sorting }: Frame): boolean {
  return sorting === null;
}

/** Reads the longest phrase at an item. */
function nextStates(place: Omit<Phrase, "slice" | "before" | "after">): State[] {
  const { items, at, facts, frame } = place;
  const matches = PHRASES.flatMap(({ pattern, read }) => {
    const to = matchEnd(pattern, items, at);
    if (to === null) return [];
    const phrase = {
      ...place,
      slice: items.slice(at, to),
      before: items[at - 1],
      after: items[to],
    };
    return read(phrase).map(
      (change): State => ({ at: to, frame: { ...counted(phrase), ...change } }),
    );
  });
  const conditions = conditionFrames({ items, at, facts, frame }).map(
    ({ to, frame: next }): State => ({
      at: to,
      frame: { ...next, ...pick(counted({ slice: items.slice(at, to), frame })) },
    }),
  );
  const found = [...matches, ...conditions];
  const longest = Math.max(...found.map(({ at: to }) => to));
  return found.filter(({ at: to }) => to === longest);
}

const pick = ({ plural, rows, possessed }: Frame) => ({ plural, rows, possessed });

/** Counts the nouns of a phrase: whether one is a plural, and whether all of them come after "of". */
function counted({ slice, frame }: Pick<Phrase, "slice" | "frame">): Frame {
  const nouns = slice.filter(({ type }) => type === "row" || type === "column");
  const rows = slice.filter(({ type }) => type === "row");
  const isOwned = ({ lead }: Item) => lead.some((word) => /^(?:of|in|from|for)$/.test(word));
  return {
    ...frame,
    plural: frame.plural || nouns.some(({ text }) => /[^s]s$/i.test(text)),
    rows: frame.rows + rows.length,
    // "for each user" names no rows of its own.
    possessed: frame.possessed && (isOp(slice[0], "group") || rows.every(isOwned)),
  };
}

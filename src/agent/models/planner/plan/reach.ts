import type { Sentence } from "../language/reading.ts";
import { asks } from "./asks-for.ts";
import { beyondReach, cannot } from "./refusals.ts";

/** The sentences without what cannot be done, and what that is; null when nothing else was asked. */
export interface Reach {
  sentences: Sentence[];
  beyond: string[];
}

const JOINTS = /(?: ,)? (?:and then|and also|and|then|but) | , | ; /;

function placesIn(text: string, kind: string): number[] {
  const found = [...text.matchAll(new RegExp(`${kind}(\\d+)_`, "g"))];
  return [...new Set(found.map((match) => Number(match[1])))];
}

/** One sentence without the orders that cannot be carried out; null when none are left. */
function withinReach(sentence: Sentence): Sentence | null {
  const kept = sentence.text.split(JOINTS).filter((piece) => beyondReach(piece) === null);
  const text = kept.join(" and ");
  if (kept.length === 0 || beyondReach(text) !== null) return null;
  return { ...sentence, text, urls: placesIn(text, "url"), blocks: placesIn(text, "blk") };
}

/** Sets apart what no rule can do, but for sentences that a rule `reads`: "list the names and translate them" is done by half, and said so. */
export function reachOf(
  sentences: readonly Sentence[],
  reads: (sentence: Sentence) => boolean = () => false,
): Reach {
  const beyondIn = (one: Sentence): string | null => (reads(one) ? null : beyondReach(one.text));
  const beyond = sentences.flatMap((sentence) => beyondIn(sentence) ?? []);
  if (beyond.length === 0) return { sentences: [...sentences], beyond };
  const kept = sentences.flatMap((sentence) =>
    beyondIn(sentence) === null ? [sentence] : (withinReach(sentence) ?? []),
  );
  const places = sentences.flatMap(({ urls, blocks }) => [...urls, ...blocks]).length;
  const placed = kept.some(({ urls, blocks }) => urls.length + blocks.length > 0);
  const done = kept.some(asks) && (placed || places === 0);
  return { sentences: done ? kept : [], beyond: [...new Set(beyond)] };
}

/** The sentence about the part that was left out. */
export function leftOut(beyond: readonly string[]): string[] {
  return beyond.map((what) => `One part was not done. ${cannot(what)}`);
}

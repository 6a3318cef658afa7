import { linesOf, plainText } from "../../../tools/process-data/markdown.ts";
import { RESERVED } from "../bind/lexicon.ts";
import { singular, wordsOf } from "../language/normalize.ts";
import { statementsOf } from "../view/facts.ts";
import type { Page } from "../view/pages.ts";

/** Words that ask rather than say what about. */
const ASKING = new Set(
  (
    "say says said mention state according describe does did is are was were be been company site website page " +
    "article post find out tell know please there any about information info detail long often old big large " +
    "speak speaks talk talks take takes place happen happens explain explains give gives " +
    "which where when who why how what whose current currently today offer offers have has provide"
  ).split(" "),
);

/** Words of orders that, past the first place, are words of the matter too. */
const DOUBLE = new Set(
  "open close closed order orders number price prices name email return link high low".split(" "),
);

/** The words of an ask that something on a page could be about. */
export function keywords(text: string, strings: readonly string[]): string[] {
  const spelled = text.replace(/str(\d+)_/g, (_raw, at: string) =>
    (strings[Number(at)] ?? "").toLowerCase(),
  );
  // "In which year" asks when: the answer has the year, not the word.
  const matter = spelled
    .replace(/\b(?:return|print|output) (?:it|them|that|this|back)\b/g, " ")
    .replace(/\b(?:what|which) (?:year|month|day|date|time)\b/g, " when ");
  const words = matter.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1);
  const telling = words
    .filter(
      (word, at) => (!RESERVED.has(word) || (at > 0 && DOUBLE.has(word))) && !ASKING.has(word),
    )
    .map(singular);
  return [...new Set(telling)].slice(0, 20);
}

interface Scored {
  text: string;
  hits: string[];
}

function stemsOf(sentence: string): Set<string> {
  return new Set(
    sentence
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .map(singular),
  );
}

function sentencesOf(page: Page): string[] {
  const lines = linesOf(page.source.text)
    .slice(0, 5_000)
    .flatMap((line) => statementsOf(plainText(line).replace(/^#{1,6} |^[-*+] /, "")));
  return lines.flatMap((line) =>
    line.length > 300 ? (line.match(/[^.!?]+[.!?]*/g) ?? [line]) : [line],
  );
}

/**
 * Sentences of a page that speak of most of what the words say; a word counts the more the fewer
 * sentences have it. At most three, equally good.
 */
export function passagesOn(page: Page, words: string[]): string[] {
  if (words.length === 0) return [];
  const scored: Scored[] = sentencesOf(page).map((text) => {
    const stems = stemsOf(text);
    const has = (word: string): boolean =>
      stems.has(word) ||
      (word.length > 4 && [...stems].some((stem) => stem.startsWith(word.slice(0, -1))));
    return { text: text.trim(), hits: words.filter(has) };
  });
  const spread = new Map(
    words.map((word) => [word, scored.filter((one) => one.hits.includes(word)).length]),
  );
  const weight = (one: Scored): number =>
    one.hits.reduce((sum, word) => sum + 1 / (spread.get(word) ?? 1), 0);
  const names = new Set(wordsOf(`${page.title} ${page.url}`));
  // Of two words, one that a single sentence has and that does not name the page is telling enough.
  const rare = (one: Scored): boolean =>
    words.length === 2 &&
    one.hits.some((word) => word.length > 4 && spread.get(word) === 1 && !names.has(word));
  const least = Math.min(words.length, Math.max(2, words.length * 0.6));
  const enough = scored.filter(
    (one) => one.hits.length > 0 && (one.hits.length >= least || rare(one)),
  );
  const best = Math.max(0, ...enough.map(weight));
  const texts = enough.filter((one) => weight(one) === best && one.text.length > 2);
  return [...new Set(texts.map((one) => one.text))].slice(0, 3);
}

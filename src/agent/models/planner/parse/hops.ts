import type { Hop } from "../program.ts";
import type { Token } from "../text/tokens.ts";

const VERBS = new Set("follow click open visit go navigate enter access press tap".split(" "));
/** Words between the verb and the link's own words. */
const FILLERS = new Set(
  "'s please then also and now on to into in at over through the a its their that this those these of for from there it link links page pages detail details subpage subpages button hyperlink called named labelled labeled titled saying says with text reading individual linked listed own respective one by one".split(
    " ",
  ),
);
const LINK_NOUNS = new Set(
  "link links page pages subpage subpages button hyperlink tab article articles post posts entry".split(
    " ",
  ),
);
const EACH = new Set(["each", "every", "all"]);
const PLURALS = new Set(["links", "pages", "subpages", "articles", "posts"]);
const PAGING = new Set(["next", "previous", "first", "last"]);
const MAX_WORDS = 5;

/** What a clause says about links to open. */
export type HopReading =
  | { kind: "hop"; hop: Hop }
  /** "Open its page": of the things that an earlier clause names. */
  | { kind: "own" };

/** Reads a clause such as `follow the link "Contact"` or "open each product page"; null for all others. */
export function hopOf(tokens: readonly Token[], hasAddress: boolean): HopReading | null {
  const from = tokens.findIndex((token) => token.kind === "word" && VERBS.has(token.word));
  const isOpening = tokens
    .slice(0, Math.max(0, from))
    .every((token) => token.kind === "mark" || (token.kind === "word" && FILLERS.has(token.word)));
  if (from < 0 || !isOpening) return null;
  const verb = tokens[from]?.text.toLowerCase() ?? "";
  const rest = tokens.slice(from + 1);
  const words = rest.flatMap((token) => (token.kind === "word" ? [token.word] : []));
  const quotes = rest.flatMap((token) => (token.kind === "quote" ? [token.value] : []));
  const isPlain = rest.every(({ kind }) => kind === "word" || kind === "quote" || kind === "mark");
  const namesLink = words.some((word) => LINK_NOUNS.has(word));
  const isEach = words.some((word) => EACH.has(word) || PLURALS.has(word));
  const hasName =
    !hasAddress && rest.some(({ kind, text }) => kind === "word" && /^\p{Lu}/u.test(text));
  const isClick = verb === "follow" || verb === "click" || verb === "press" || verb === "tap";
  // "The next page" is a way through a list, not a link of its own.
  const named = [...words, ...quotes.map((text) => text.toLowerCase())];
  if (!isPlain || quotes.length > 1 || named.some((word) => PAGING.has(word))) return null;
  if (!namesLink && !isClick && !isEach && !hasName && quotes.length === 0) return null;
  const [quote] = quotes;
  const own = words.filter((word) => !FILLERS.has(word) && !EACH.has(word));
  if (own.length > MAX_WORDS || (quote !== undefined && own.length > 2)) return null;
  if (quote === undefined && own.length === 0 && !isEach) {
    return words.includes("its") || words.includes("their") ? { kind: "own" } : null;
  }
  // A noun before the quoted text says what kind of thing the link is.
  return { kind: "hop", hop: { which: isEach ? "each" : "one", words: quote ?? own.join(" ") } };
}

/** Reads "for each animal": the words of the things whose pages a later clause opens; else null. */
export function eachThing(tokens: readonly Token[]): string | null {
  const words = tokens.flatMap((token) => (token.kind === "word" ? [token.word] : []));
  const isPlain = tokens.every(({ kind }) => kind === "word" || kind === "mark");
  const [preposition, quantifier = "", ...things] = words;
  if (!isPlain || preposition !== "for" || !EACH.has(quantifier)) return null;
  const own = things.filter((word) => !["of", "the", "listed", "there"].includes(word));
  return own.length > 0 && own.length <= 3 ? own.join(" ") : null;
}

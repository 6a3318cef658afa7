import type { Hop } from "../program.ts";
import type { Token } from "../text/tokens.ts";
import type { DraftState } from "./draft-state.ts";

const setOf = (words: string) => new Set(words.split(" "));
const VERBS = setOf("follow click open visit go navigate enter access press tap");
/** Verbs that open a link only where its page is named. */
const WEAK = setOf("look read check find see take");
const PAGES = setOf("page link article post subpage");
/** Words between the verb and the link's own words. */
const FILLERS = setOf(
  "'s please then also and now on to into in at over through the a its their that this those these of for from there it link links page pages detail details subpage subpages button hyperlink called named labelled labeled titled saying says with text reading individual linked listed own respective one by one",
);
const LINK_NOUNS = setOf(
  "link links page pages subpage subpages button hyperlink tab article articles post posts entry",
);
const EACH = setOf("each every all");
const PLURALS = setOf("links pages subpages articles posts");
/** "The next page" is a way through a list, not a link of its own. */
const PAGING = setOf("next previous first last");
const MAX_WORDS = 5;

/** Reads a clause such as `follow the link "Contact"` or "open each product page"; null for all others. */
export function hopOf(tokens: readonly Token[], hasAddress: boolean): Hop | null {
  const isPage = tokens.some((token) => token.kind === "word" && PAGES.has(token.word));
  const verb = tokens.findIndex(
    (token) => token.kind === "word" && (VERBS.has(token.word) || (isPage && WEAK.has(token.word))),
  );
  // "Go to URL, then to Our crew"
  const from = verb < 0 && !hasAddress ? tokens.findIndex(({ text }) => text === "then") : verb;
  const before = tokens.slice(0, Math.max(0, from));
  const isOpening = before.every((token) => token.kind === "mark" || FILLERS.has(token.text));
  const rest = tokens.slice(from + 1);
  if (from < 0 || !isOpening || rest.some(({ kind }) => !/^(?:word|quote|mark)$/.test(kind)))
    return null;
  const words = rest.flatMap((token) => (token.kind === "word" ? [token.word] : []));
  const [quote, other] = rest.flatMap((token) => (token.kind === "quote" ? [token.value] : []));
  if (
    other !== undefined ||
    [...words, quote?.toLowerCase() ?? ""].some((word) => PAGING.has(word))
  )
    return null;
  const isEach = words.some((word) => EACH.has(word) || PLURALS.has(word));
  const isNamed =
    words.some((word) => LINK_NOUNS.has(word)) ||
    /^(?:follow|click|press|tap)$/i.test(tokens[from]?.text ?? "") ||
    quote !== undefined ||
    (!hasAddress && rest.some(({ kind, text }) => kind === "word" && /^\p{Lu}/u.test(text)));
  // A noun before the quoted text says what kind of thing the link is.
  const telling = words.filter((word) => !FILLERS.has(word) && !EACH.has(word));
  const topic = telling.filter((word) => !LINK_NOUNS.has(word));
  const own = topic.length > 0 ? topic : telling;
  const isLong = own.length > (quote === undefined ? MAX_WORDS : 2);
  const isEmpty = quote === undefined && own.length === 0;
  if (isLong || (isEmpty && !isEach) || (!isNamed && !isEach)) return null;
  return { which: isEach ? "each" : "one", words: quote ?? own.join(" ") };
}

/** Returns where what is opened ends: at a comma or "and" after its verb. */
export function hopEnd(state: DraftState, to: number, start: number): number {
  const at = state.tokens.findIndex(
    ({ text }, place) => place > start && /^(?:,|and|then)$/i.test(text),
  );
  return at < 0 || at > to ? to : at;
}

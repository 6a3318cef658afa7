import { failedPart, type Part } from "../answer/parts.ts";
import { listed } from "../answer/words.ts";
import { type Unread, unreadIn } from "../bind/unread.ts";
import { wordsOf } from "../language/normalize.ts";
import type { Ask } from "../plan/types.ts";
import { nameOf } from "../view/facts.ts";
import type { Page } from "../view/pages.ts";

const MAX_PHRASES = 6;

/** Words that name the pages themselves: of their titles, main headings and addresses. */
export function namesOf(pages: readonly Page[]): string[] {
  return pages.flatMap((page) => {
    const url = URL.canParse(page.url) ? new URL(page.url) : null;
    const place = url === null ? "" : `${url.host} ${url.pathname}`;
    return wordsOf(`${page.title} ${nameOf(page)} ${place}`);
  });
}

function unreadOf(part: Part, names: readonly string[]): Unread | null {
  const { leftover } = part;
  if (leftover === null) return null;
  const known = new Set([...names, ...wordsOf(leftover.name)]);
  return unreadIn(leftover.text, known, leftover.operative);
}

/** Says on which of several pages nothing was found that could be put with the rest. */
function skipped(parts: readonly Part[], pages: readonly Page[]): string[] {
  const used = new Set(parts.flatMap((part) => part.sources));
  const left = pages.filter((page) => page.callId !== null && !used.has(page.callId));
  if (used.size === 0 || left.length === 0) return [];
  return [`Nothing of the kind was found on ${listed(left.map((page) => page.url))}.`];
}

/**
 * Says what of an ask no piece of the answer has read. Rows that a condition was to pick, and that
 * nothing else picked, are not the answer: then the piece fails.
 */
export function honest(
  ask: Ask,
  parts: Part[],
  pages: readonly Page[],
): { parts: Part[]; notes: string[]; understood: boolean } {
  const apart = skipped(parts, pages);
  const names = namesOf(ask.hops.length > 0 ? pages.slice(0, 1) : pages);
  const unread = parts.flatMap((part) => unreadOf(part, names) ?? []);
  const [first, ...others] = unread;
  if (first === undefined) return { parts, notes: apart, understood: true };
  const missed = [...first.words].filter((word) => others.every(({ words }) => words.has(word)));
  if (missed.length === 0) return { parts, notes: apart, understood: true };
  const phrases = first.phrases
    .filter(
      (phrase) => missed.includes(phrase) || wordsOf(phrase).some((word) => missed.includes(word)),
    )
    .slice(0, MAX_PHRASES)
    .map((phrase) => `"${phrase}"`);
  if (phrases.length === 0) return { parts, notes: apart, understood: true };
  const said = `I did not understand: ${listed(phrases)}`;
  const [only] = parts;
  // What is said of a list under a heading ("the cooking steps") mostly names it.
  const list = only?.leftover?.kind === "section";
  // Of a single row, as the inputs of a workflow are, nobody has to tell which one is meant.
  const several = only !== undefined && only.records.length !== 1;
  const condition = first.condition && others.length === 0 && !list && several;
  if (condition && only !== undefined && only.output !== null && !only.leftover?.operative) {
    const reason = `${said}. So I cannot tell which of the ${only.records.length} rows are meant.`;
    return { parts: [failedPart(only.label, reason)], notes: [], understood: false };
  }
  const note = `${said}; the answer above does not take it into account.`;
  return { parts, notes: [...apart, note], understood: false };
}

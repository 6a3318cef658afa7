/** Words of orders that are also states of rows: values of cells where they stand as adjectives. */
const STATE_WORDS = new Set(["open", "new"]);

const DETERMINER =
  /\b(?:the|all|any|every|each|which|what|many|only|just|no|these|those|our|my|their|first|last|[a-z]{3,}est|most [a-z]+|\d+) ?$/;
const PREDICATE =
  /\b(?:are|is|was|were|be|still|currently|not|status|state|longer|marked|there|as|or|and|of|with|without|except|excluding|non) ?$/;
/** What is opened, or made anew, rather than found in that state. */
const OBJECT =
  /^ ?(?:pages?|links?|sites?|tables?|files?|sheets?|workbooks?|spreadsheets?|columns?|tabs?|documents?|csv|json|excel|window|browser)\b/;
const ORDERED =
  /^ ?(?:the|this|that|these|those|it|them|each|every|all|url\d+_|str\d+_|blk\d+_|up|an?)\b/;

/** "Is the first bill open?" */
const ASKED = /(?:^|, |\b(?:if|whether|and) )(?:is|are|was|were) [^,;]{1,60} ?$/;
const ASKED_END = /^ ?(?:$|,|or\b|yet\b|already\b|now\b|today\b|at\b|on\b|in\b|url\d)/;

/** How much of what stands before a word can tell what it is. */
const MAX_BEFORE = 100;

/** Whether a word that is both an order and a state can be a cell's value. */
export function isStateWord(word: string): boolean {
  return STATE_WORDS.has(word);
}

/** Whether such a word stands for the state: "the open invoices", "which are open", not "open the page". */
export function namesState(word: string, said: string, after: string): boolean {
  if (!isStateWord(word)) return true;
  const before = said.slice(-MAX_BEFORE);
  if (OBJECT.test(after)) return false;
  // At the beginning it is a state only before a plural: "open invoices at …".
  if (/^ ?$/.test(before)) return /^ [a-z]{3,}s\b/.test(after) && !ORDERED.test(after);
  if (ASKED.test(before) && ASKED_END.test(after)) return true;
  return DETERMINER.test(before) || (PREDICATE.test(before) && !ORDERED.test(after));
}

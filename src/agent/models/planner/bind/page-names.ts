/** What pages and their tables are called as a whole. */
const WHOLE =
  /^(?:lists?|tables?|sheets?|overviews?|catalogues?|catalogs?|director(?:y|ies)|registers?|timetables?|schedules?|databases?|datasets?|spreadsheets?|workbooks?|files?)$/;
const BEFORE =
  /^(?:the|a|an|this|that|these|those|our|my|your|its|their|whole|full|complete|entire|both|all|each|every|two|three|\d+|from|of|in|on|with|at|to|me|get|open|fetch|download|take|save|export|show|merge|combine|as|,)$/;
const WORD = /^[a-z][a-z'-]*$/;
const MAX_WORDS = 3;

/**
 * The places of words that only name a list or table: of "the tea price list" the words "tea" and
 * "price", which pick none of its columns.
 */
export function pageNames(words: readonly string[]): Set<number> {
  const places = new Set<number>();
  words.forEach((word, at) => {
    if (!WHOLE.test(word)) return;
    let start = at;
    while (start > 0 && at - start < MAX_WORDS && isPlain(words[start - 1] ?? "")) start--;
    const before = words[start - 1];
    // "name and price table" lists what the table is to show.
    if (before !== undefined && !BEFORE.test(before)) return;
    if (before === "," && start > 1) return;
    for (let place = start; place < at; place++) places.add(place);
  });
  return places;
}

function isPlain(word: string): boolean {
  return WORD.test(word) && !BEFORE.test(word) && word !== "and" && word !== "or";
}

/** The words that rules hang on; a slip of the finger in one of them must not change the plan. */
const KEYWORDS = (
  "address addresses alphabetical alphabetically analyze answer article articles ascending average " +
  "between calculate called category cheaper cheapest collect column columns combine company compare " +
  "contact containing contains count countries country cheap customer customers delete descending " +
  "description download email emails employee employees every exclude expensive extract fetch filter " +
  "find follow following group grouped heading headings headlines highest including item items largest " +
  "links list lowest maximum median mention mentions minimum number numbers order ordered page pages " +
  "paragraph please price prices product products rating retrieve return search show smallest sorted " +
  "subtitle summarise summarize summary table tables title titles total unique user users value values " +
  "visit website which"
).split(" ");

/** Real words that lie one letter away from a keyword. */
const REAL_WORDS = new Set(
  (
    "prince prices pride prize priced pries pricey tiled tiles title tile stable tablet tabled linked " +
    "lines lists listed listen links likes paces paged pager county counts court counted counties " +
    "heading heating heeding reading leading beading filler flutter order older orders ordered " +
    "valued values valve user used users uses found finds fond fined mind item its items totals totaled " +
    "contacts contact contacted company compact visits visitor column volume umber numbered member " +
    "shown shows show snow group grouped groups group's articles witch rated ration medium media " +
    "follower followed follows every very ever averaged averages emailed entitled untitled subtitles " +
    "returns returned searches product producer produced produce producs latest fetched extracts extracted " +
    "filtered filters combined compares compared collects collected answers answered addressed " +
    "analyzed summarized calculated retrieved mentioned contained excluded included largest larger"
  ).split(" "),
);

/** Whether two words differ by one letter, or by two neighbours swapped (optimal string alignment 1). */
function oneSlip(left: string, right: string): boolean {
  if (Math.abs(left.length - right.length) > 1 || left === right) return false;
  let start = 0;
  while (start < left.length && left[start] === right[start]) start++;
  let end = 0;
  const most = Math.min(left.length, right.length) - start;
  while (end < most && left.at(-1 - end) === right.at(-1 - end)) end++;
  const a = left.slice(start, left.length - end);
  const b = right.slice(start, right.length - end);
  if (a.length <= 1 && b.length <= 1) return true;
  return a.length === 2 && b.length === 2 && a[0] === b[1] && a[1] === b[0];
}

const KNOWN = new Set(KEYWORDS);

/** Puts one mistyped keyword right; any other word stays as it is. */
export function correct(word: string): string {
  if (word.length < 4 || KNOWN.has(word) || REAL_WORDS.has(word)) return word;
  if (KNOWN.has(`${word}s`) || KNOWN.has(word.replace(/s$/, ""))) return word;
  const near = KEYWORDS.filter(
    (keyword) => keyword.length >= 5 && keyword[0] === word[0] && oneSlip(word, keyword),
  );
  return near[0] ?? word;
}

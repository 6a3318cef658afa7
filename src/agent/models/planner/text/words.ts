/** Adverbs and adjectives of spans of time, by the span. */
const SPANS: Readonly<Record<string, string | undefined>> = {
  daily: "day",
  hourly: "hour",
  weekly: "week",
  monthly: "month",
  yearly: "year",
  annual: "year",
  annually: "year",
  nightly: "night",
};

/** Returns the singular of a word, so that "teas" and "tea" are one. */
export function stemOf(word: string): string {
  if (word === "ids") return "id";
  if (word.length < 4) return word;
  const span = SPANS[word];
  if (span !== undefined) return span;
  if (/(?:ss|us|is|'s)$/.test(word)) return word;
  if (word.endsWith("ies")) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(?:ches|shes|sses|xes|zes|[^aeo]uses)$/.test(word)) return word.slice(0, -2);
  if (word.endsWith("oes") && word.length > 4) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

/** Splits a name such as a column's header into stems: "In stock?" gives `in`, `stock`. */
export function stemsOf(name: string): string[] {
  const found = name
    .normalize("NFKC")
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replaceAll("e-mail", "email")
    .match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu);
  return (found ?? []).map((word) => stemOf(word.replaceAll("’", "'")));
}

const ENDINGS = /(?:ations?|itions?|ions?|ments?|ances?|ings?|ures?|ers?|ors?|als?|ed|es|e|s)$/;

/** Returns what the forms of a word share: "borrowed" and "borrower" give "borrow". */
export function rootOf(stem: string): string {
  const root = stem.replace(ENDINGS, "");
  return root.length < 4 ? stem : root;
}

/** Returns the words of a text in their singular, joined by blanks, to compare texts by. */
export function normalWords(text: string): string {
  const found = text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+(?:['’.:/&-][\p{L}\p{N}]+)*|[^\s,]/gu);
  return (found ?? []).map(stemOf).join(" ");
}

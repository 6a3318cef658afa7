/** Returns the lines of a page. A term and its definition below it are one: "- Salary: $9". */
export function joinedLines(markdown: string): string[] {
  const joined = markdown.replace(
    /^- ([^\n#:[]{1,40})\n {2}(?! *(?:[-*+#]|\d+[.)]) )(?=\S)/gm,
    "- $1: ",
  );
  return joined.split("\n");
}

/** A label and its value, such as "Price: $7.50". */
export interface Pair {
  label: string;
  value: string;
}

const PAIR = /^(?:[-*+•]\s+)?(\p{L}[\p{L}\p{N} /&().'-]{0,39}?)\s?(?::|–|—)\s+(\S.{0,299})$/u;

/** Parses a line such as "Price: $7.50"; null for prose and addresses. */
export function pairOf(line: string): Pair | null {
  const [, label, value] = PAIR.exec(line) ?? [];
  if (label === undefined || value === undefined || /https?$/i.test(label)) return null;
  return { label: label.trim(), value };
}

/** What a thing says of itself without a label: the column, the labels that mean the same, and how it looks. */
export interface Tell {
  column: string;
  unless: RegExp;
  pattern: RegExp;
}

export const PRICE: Tell = {
  column: "price",
  unless: /price|cost/i,
  pattern:
    /[$€£¥]\s?\d(?:[\d.,]{0,20}\d)?|(?<![\d.,])\d[\d.,]{0,20}\s?(?:€|EUR|USD|GBP|CHF)(?![a-z])/,
};

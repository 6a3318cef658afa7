import type { Json } from "../../../../contract/json.ts";
import { type Block, looksLikeCsv } from "../language/literals.ts";
import { singular } from "../language/normalize.ts";

const NUMBER = /^[$€£]?[-+]?\d[\d,]*(?:\.\d+)?\s?%?$/;
const LISTING =
  /\b(?:numbers?|names?|words?|e-?mails?|urls?|items?|values?|list|cities|countries|fruits?|colou?rs?|prices?|amounts?|figures?|scores?|grades?|strings?|dates?|ages?|entries|letters?|animals?|ids?|following|these|duplicates?)\b/i;
const NOUN =
  /\b(numbers|names|words|items|values|cities|countries|fruits|colou?rs|prices|amounts|figures|scores|grades|dates|ages|letters|animals|ids|emails|people|products)\b/i;
const COMPUTE =
  /\b(?:sum|add|total|average|mean|median|max(?:imum)?|min(?:imum)?|largest|smallest|biggest|highest|lowest|greatest|sort|order|count|how many)\b/i;

/** The columns that a list written into the prompt gets. */
function columnName(before: string): string {
  const noun = NOUN.exec(before)?.[1];
  return noun === undefined ? "value" : singular(noun.toLowerCase());
}

function rowsBlock(items: string[], before: string): Block {
  const name = columnName(before);
  const value: Json = items.map((item) => ({
    [name]: NUMBER.test(item) && !/[$€£%]/.test(item) ? Number(item.replaceAll(",", "")) : item,
  }));
  return { kind: "json", value, text: JSON.stringify(value) };
}

function split(list: string): string[] {
  const mark = list.includes("\n") ? /\n/ : list.includes(";") ? /;/ : /,(?!\d{3}\b(?!,\s))/;
  const parts = list
    .split(mark)
    .flatMap((part) => part.split(/^\s*(?:and|&)\s+|\s+(?:and|&)\s+(?=[^,]*$)/i));
  const items = parts
    .map((part) =>
      part
        .trim()
        .replace(/^(?:[-*•]|\d{1,2}[.)]\s)\s*/, "")
        .replace(/^["'“]|["'”.]$/g, "")
        .trim(),
    )
    .filter((part) => part !== "");
  return items.length === 1 && /^[-\d.\s]+$/.test(items[0] ?? "")
    ? (items[0] ?? "").split(/\s+/)
    : items;
}

/** Cuts an instruction off the end of a list: "…: 3, 4, 5. Then tell me the largest". */
function listPart(text: string): string {
  return text.split(/[.?!](?=\s+[A-Za-z]|\s*$)/)[0]?.trim() ?? "";
}

/**
 * The data that stands in the prompt itself, when there is no address: after a colon ("Sum these
 * numbers: 3, 4, 5"), as a row of numbers ("average of 3, 4 and 5"), or as quoted text.
 */
export function inlineBlock(
  prompt: string,
  strings: string[],
): { block: Block; rest: string } | null {
  const colon = /^([^:]{3,400}):\s*(\S[\s\S]{0,31000})$/.exec(prompt);
  if (colon !== null) {
    const before = colon[1] ?? "";
    const after = (colon[2] ?? "").trim();
    if (looksLikeCsv(after) && after.includes("\n")) {
      return { block: { kind: "csv", text: after }, rest: before };
    }
    const list = listPart(after);
    const items = split(list);
    const short = items.every((item) => item.split(/\s+/).length <= 4 && item.length <= 60);
    const numeric = items.every((item) => NUMBER.test(item));
    if (items.length >= 2 && short && (numeric || LISTING.test(before) || COMPUTE.test(before))) {
      const rest = `${before} ${after.slice(list.length)}`;
      return { block: rowsBlock(items, before), rest };
    }
    if (after.split(/\s+/).length >= 3 || /@/.test(after)) {
      return {
        block: { kind: "text", text: unplaced(after, strings) },
        rest: `${before} ${question(before, after)}`,
      };
    }
  }
  const run =
    /(?<![\w.])[-+$€£]?\d[\d,.]*%?(?:(?:\s*[,;&+]\s*|\s*,?\s+and\s+|\s+)[-+$€£]?\d[\d,.]*%?){1,500}(?![\w%])/i.exec(
      prompt,
    );
  if (run !== null && COMPUTE.test(prompt) && !/\bblk\d|\bbetween\b/.test(prompt)) {
    const items = split(run[0].replace(/\s*[+&]\s*/g, ", ").replace(/[.,]$/, ""));
    if (items.length >= 2 && items.every((item) => NUMBER.test(item))) {
      return { block: rowsBlock(items, "numbers"), rest: prompt.replace(run[0], "these numbers") };
    }
  }
  const longest = strings
    .filter((text) => text.includes(" "))
    .sort((a, b) => b.length - a.length)[0];
  if (
    longest !== undefined &&
    /\b(?:text|string|sentence|paragraph|in|from|of|this)\b/i.test(prompt)
  ) {
    return { block: { kind: "text", text: longest }, rest: prompt };
  }
  return null;
}

/** Where the words before the colon only announce the text, its last sentence is the order. */
function question(before: string, after: string): string {
  if (!/^\s*(?:here|given|this is|consider|text|take|for|in|the following|my)\b/i.test(before))
    return "";
  return after.split(/[.!?]\s+|\n/).at(-1) ?? "";
}

function unplaced(text: string, strings: string[]): string {
  return text.replace(/\s?str(\d+)_\s?/g, (_raw, at: string) => ` "${strings[Number(at)] ?? ""}" `);
}

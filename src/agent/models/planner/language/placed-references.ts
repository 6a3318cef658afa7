import type { Json } from "../../../../contract/json.ts";
import { type Literals, looksLikeCsv } from "./literals.ts";
import type { References } from "./references.ts";

const TOKEN = String.raw`\uE000\d+\uE001`;
const LABELLED = /\b([A-Za-z]{1,40})(?:\s+of)?\s{0,2}[:=]?\s{1,4}(?=\uE000(\d+)\uE001)/g;
/** Words that say what a value is for, and nothing about data. */
const OF_A_MESSAGE = /^(?:subject|body|text|message|payload|cc)$/i;
/** What stands behind these words is a text of the client's own. */
const OWN_TEXT = /\S@\S+?\s*:|\uE001\s*:|\b(?:saying|says|reads?|stating|that)\b/i;
const GLUE = String.raw`[\w#$€£%./~-]`;
const WORD = new RegExp(`(?:${GLUE}|@)*(?:${TOKEN})(?:${GLUE}|@|${TOKEN})*`, "g");

/** In "total {{total}}" the word only says what the reference says: it asks for no sum. */
function withoutLabels(text: string, references: References): string {
  return text.replace(LABELLED, (raw, word: string, place: string, at: number) => {
    const same = word.toLowerCase() === references.at(place).name.toLowerCase();
    const kept = OF_A_MESSAGE.test(word) || OWN_TEXT.test(text.slice(0, at));
    return same && !kept ? " " : raw;
  });
}

/**
 * Puts what is left of the references into a text from which addresses, data and quotations were
 * taken: numbers as they are, all else as literals, with what is written right up against them.
 */
export function placeReferences(text: string, literals: Literals, references: References): string {
  const { strings, blocks } = literals;
  const placed = (value: Json): string => {
    if (typeof value === "number") return String(value);
    if (value !== null && typeof value === "object") {
      blocks.push({ kind: "json", value, text: JSON.stringify(value) });
      return `blk${blocks.length - 1}_`;
    }
    const said = String(value ?? "");
    if (looksLikeCsv(said)) {
      blocks.push({ kind: "csv", text: said });
      return `blk${blocks.length - 1}_`;
    }
    strings.push(said);
    return `str${strings.length - 1}_`;
  };
  return withoutLabels(text, references).replace(WORD, (raw) => {
    const word = raw.replace(/[./~-]+$/, "");
    const tail = raw.slice(word.length);
    const alone = references.lone(word);
    if (alone !== null) {
      return alone.value === undefined ? references.text(raw) : placed(alone.value) + tail;
    }
    const values = [...word.matchAll(/\uE000(\d+)\uE001/g)].map(
      ([, at]) => references.at(at).value,
    );
    if (values.every((value) => typeof value === "number" || value === undefined)) {
      return references.text(raw);
    }
    if (values.some((value) => value !== null && typeof value === "object")) {
      return raw.replace(new RegExp(TOKEN, "g"), (token) => {
        const value = references.lone(token)?.value;
        return value === undefined ? references.text(token) : ` ${placed(value)} `;
      });
    }
    return placed(references.text(word)) + tail;
  });
}

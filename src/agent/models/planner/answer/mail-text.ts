import type { MailOrder } from "../plan/mail.ts";
import { capital } from "./file-parts.ts";
import type { Part } from "./parts.ts";
import { listed } from "./words.ts";

/** What an e-mail can tell of. */
export interface Letter {
  /** The pieces of the answer that were found. */
  parts: readonly Part[];
  /** Sentences about what was done on the way, and about what was not. */
  said: readonly string[];
  notes: readonly string[];
  /** The calls that made files. */
  files: readonly string[];
  filename: string | null;
  /** Whether the client named the file. */
  named: boolean;
  /** The addresses that the client gave. */
  addresses: readonly string[];
  sources: readonly string[];
}

const MAX_SUBJECT = 200;
const MAX_TEXT = 50_000;

function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replace(/\s{2,}/g, " ")
    .trim()
    .slice(0, MAX_SUBJECT);
}

/** Where the answer is from, by the words of the prompt alone. */
function originOf(addresses: readonly string[]): string {
  const hosts = [
    ...new Set(addresses.flatMap((url) => (URL.canParse(url) ? new URL(url).host : []))),
  ];
  if (hosts.length === 0) return "";
  return hosts.length <= 2 ? ` from ${listed(hosts)}` : ` from ${addresses.length} pages`;
}

const MAX_OPENING = 60;

/** How a text of the client's own begins; one that is no longer than that stands in the mail itself. */
function opening(text: string): string {
  const [first = ""] = oneLine(text).split(/(?<=[.!?])\s/);
  return first === oneLine(text) || first.length > MAX_OPENING
    ? "A message for you"
    : first.replace(/[.]$/, "");
}

/** The subject: the client's, else the file's name, else what was asked for. Never a page's words. */
export function subjectOf(order: MailOrder, letter: Letter): string {
  if (order.subject !== null) return oneLine(order.subject) || "Results";
  if (letter.filename !== null && (letter.named || order.text !== null))
    return oneLine(letter.filename.replace(/\.\w+$/, ""));
  if (order.text !== null) return opening(order.text);
  const labels = letter.parts
    .map(({ label }) => label)
    .filter((label) => /^[a-z -]+$/i.test(label) && label !== "answer");
  const what = labels.length === 0 ? "results" : listed([...new Set(labels)].slice(0, 3));
  return oneLine(`${capital(what)}${originOf(letter.addresses)}`);
}

/** A piece without its rows, where these lie in the attached file. */
function brief({ summary, output }: Part): string {
  const [head = ""] = summary.split("\n\n");
  return output === "table" ? head.replace(/:$/, ".") : summary;
}

/** The text: the client's own, else what was found, in the words of the summary. */
export function textOf(order: MailOrder, letter: Letter, attached: boolean): string {
  if (order.text !== null) return order.text.slice(0, MAX_TEXT);
  const short = order.about === "summary" && (attached || letter.files.length > 0);
  const told = letter.parts.map((part) => (short ? brief(part) : part.summary));
  const along = attached && letter.filename !== null ? [`Attached: ${letter.filename}.`] : [];
  const all = [...letter.said, ...told, ...letter.notes, ...along].filter((text) => text !== "");
  return all.join("\n\n").slice(0, MAX_TEXT);
}

import { putBack, takeMailAddresses } from "../language/mail-addresses.ts";
import { normalize } from "../language/normalize.ts";
import type { Reading, Sentence } from "../language/reading.ts";
import { says } from "./clause.ts";
import { takeForm } from "./form.ts";
import {
  A_MAIL_TO,
  A_MAIL_WITH,
  ATTACH,
  BODY,
  COPY,
  GOES_TO,
  REPLY_TO,
  SPEAKS,
  SUBJECT,
  TO_FOUND,
  TO_NOBODY,
  WHAT_TO_WHOM,
  WHOM_WHAT,
} from "./mail-words.ts";
import { type Taken, without } from "./taken.ts";
import { findWants } from "./wants.ts";

/** An e-mail that the user asked for. Every address in it stands in the user's own words or inputs. */
export interface MailOrder {
  /** `written`, or why there is nobody to send it to. */
  recipients: "written" | "missing" | "found";
  to: string[];
  cc: string[];
  replyTo: string | null;
  subject: string | null;
  /** A text of the user's own that is sent as it is. */
  text: string | null;
  /** What it is about: the answer, a summary of it, or the file that was made. */
  about: "answer" | "summary" | "file";
  attach: boolean;
  /** Whether it says in its own words what it tells. */
  own: boolean;
  /** Whether the mail is all that was asked for: what it tells is found for it alone. */
  whole: boolean;
  /** Whether a blind copy was asked for, which cannot be sent. */
  blind: boolean;
  /** The last message that spoke of it. */
  message: number;
}

const QUALIFIED =
  "(?:(?:whole|full|final|complete|short|brief|quick|little|one[- ]line|resulting|cleaned?(?:[- ]up)?|finished|merged|combined|sorted|filtered|new|same|above) )*";
/** Words that go back to what the other sentences ask for. */
const BACK = new RegExp(
  `^(?:me |us )?(?:(?:a copy of |a list of |both )?(?:me|us|it|them|this|that|these|those|everything|all(?: of (?:it|them|that))?|what you (?:find|found|get|got))|(?:(?:the|an?|your|my|all the|all|these|those|this|that) )?${QUALIFIED}(?:results?|lists?|tables?|summary|report|answers?|output|data|rows|findings|outcome|workbook|spreadsheet|files?|sheet|csv|excel|xlsx|document|numbers?|figures?|total|information|info|details|overview|digest|copy|emails?|message|values?)(?: (?:file|workbook|sheet|table))?)(?: of (?:it|them|this|that|everything|the (?:results?|findings|data|tables?|pages?|list|rows)|what you (?:find|found)))?(?: (?:back|over|along|there|too|as well|when (?:you are )?(?:done|ready|finished)|once done|afterwards))?(?=$| ?,| and | then )`,
);
const FILES = /\b(?:workbook|spreadsheet|files?|sheet|csv|excel|xlsx|document)\b/;

/** What of a mail's object is asked for by it alone: nothing where it goes back to what was asked. */
function objectOf(object: string): { content: string } & Pick<MailOrder, "about" | "own"> {
  const { form, rest } = takeForm(normalize(object));
  const told = rest.replace(/^(?:and|with|about|of) /, "").trim();
  const back = BACK.exec(told)?.[0] ?? null;
  const about = /\b(?:summary|overview|digest|report)\b/.test(back ?? "")
    ? "summary"
    : FILES.test(back ?? "")
      ? "file"
      : "answer";
  const asForm = form === "xlsx" || form === "csv" ? ` , as ${form}` : "";
  if (told === "") return { content: asForm, about, own: false };
  if (back === null) return { content: ` , get ${object} , `, about, own: true };
  const more = told.slice(back.length).trim();
  return { content: `${more === "" ? "" : ` , ${more} , `}${asForm}`, about, own: false };
}

interface Head {
  raw: string;
  order: Pick<MailOrder, "recipients" | "to" | "about" | "own">;
  content: string;
}

/** The order itself in one sentence; null when it orders no mail. */
function headOf(raw: string, addresses: readonly string[]): Head | null {
  const to = (list: string | undefined): string[] => [
    ...new Set(
      [...(list ?? "").matchAll(/mail(\d+)_/g)].flatMap(([, at]) => addresses[Number(at)] ?? []),
    ),
  ];
  const written = (match: RegExpExecArray, list: string | undefined, object: string): Head => {
    const { content, about, own } = objectOf(object);
    return {
      raw: raw.replace(match[0], ` ${PLACE} `),
      content,
      order: { recipients: "written", to: to(list), about, own },
    };
  };
  const withMail = A_MAIL_WITH.exec(raw);
  if (withMail !== null) return written(withMail, withMail[2], withMail[1] ?? "");
  const toMail = A_MAIL_TO.exec(raw);
  if (toMail !== null) return written(toMail, toMail[1], toMail[2] ?? "");
  const whomWhat = WHOM_WHAT.exec(raw);
  if (whomWhat !== null) return written(whomWhat, whomWhat[1], whomWhat[2] ?? "");
  const whatToWhom = WHAT_TO_WHOM.exec(raw);
  if (whatToWhom !== null) return written(whatToWhom, whatToWhom[2], whatToWhom[1] ?? "");
  const goes = GOES_TO.exec(raw);
  if (goes !== null) return written(goes, goes[2], goes[1] ?? "");
  const found = TO_FOUND.exec(raw);
  if (found !== null) {
    const { content, about, own } = objectOf(found[1] ?? "it");
    const order = { recipients: "found" as const, to: [], about, own };
    return { raw: raw.replace(found[0], ` ${PLACE} `), content, order };
  }
  const nobody = TO_NOBODY.exec(raw);
  if (nobody === null) return null;
  const object = nobody.slice(1).find((group) => group !== undefined) ?? "";
  const { content, about, own } = objectOf(object);
  return {
    raw: raw.replace(nobody[0], ` ${PLACE} `),
    content,
    order: { recipients: "missing", to: [], about, own },
  };
}

/** Stands where an order was taken out of a sentence. */
const PLACE = "\u0000";
const MAX_MAILS = 5;

function withContent({ raw, content }: Head): string {
  return raw.replace(PLACE, () => content);
}

/** Further orders in the same sentence: "mail the list to … and the file to …" has two. */
function furtherHeads(raw: string, addresses: readonly string[]): { raw: string; heads: Head[] } {
  const heads: Head[] = [];
  let rest = raw;
  while (heads.length < MAX_MAILS) {
    const head = headOf(rest, addresses);
    if (head === null) break;
    heads.push(head);
    rest = withContent(head);
  }
  return { raw: rest, heads };
}

/** What is said beside an order: subject, copies, attachments, a text of one's own. */
type Beside = Partial<Pick<MailOrder, "subject" | "cc" | "replyTo" | "text" | "attach" | "blind">>;

function takeBeside(
  raw: string,
  addresses: readonly string[],
  spell: (text: string) => string,
): { raw: string; beside: Beside } {
  const beside: Beside = {};
  let rest = raw;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const match = pattern.exec(rest);
    if (match !== null) rest = rest.replace(match[0], " ");
    return match;
  };
  const reply = take(REPLY_TO);
  if (reply !== null) beside.replyTo = putBack(reply[1] ?? "", addresses);
  const copy = take(COPY);
  const blind = copy?.[1] !== undefined || copy?.[4] !== undefined;
  const copied = copy?.[2] ?? copy?.[3];
  if (blind) beside.blind = true;
  else if (copied !== undefined) {
    beside.cc = (copied.match(/mail\d+_/g) ?? []).map((one) => putBack(one, addresses));
  }
  const subject = take(SUBJECT);
  const line = spell(subject?.[1] ?? subject?.[2] ?? "");
  if (line !== "") beside.subject = line;
  if (take(ATTACH) !== null) beside.attach = true;
  const body = take(BODY);
  const text = spell(body?.[1] ?? "");
  if (text !== "") beside.text = text;
  return { raw: rest, beside };
}

const NEW: Omit<MailOrder, "message"> = {
  recipients: "missing",
  to: [],
  cc: [],
  replyTo: null,
  subject: null,
  text: null,
  about: "answer",
  attach: false,
  own: false,
  whole: false,
  blind: false,
};

function asks(sentence: Sentence): boolean {
  return says(sentence.text) || findWants(sentence.text, (phrase) => phrase).wants.length > 0;
}

/** A reply that is nothing but addresses, to the question where to send it. */
const ONLY_ADDRESSES =
  /^(?:(?:to|send it to|use|please|my|the|it is|it's|address|is|and)\s+)*mail\d+_(?:[\s,]*(?:and\s+)?mail\d+_)*\s*(?:please|thanks)?$/i;

/**
 * Takes the e-mails out that the client asked for. Only addresses of the client's own words count.
 * `rows` tells that the prompt has something done to rows: then a summary is one of these.
 */
export function takeMail(
  sentences: readonly Sentence[],
  reading: Reading,
  rows: boolean,
): Taken<MailOrder[]> {
  const orders: MailOrder[] = [];
  const left: Sentence[] = [];
  const contents: Sentence[] = [];
  const spell = (text: string): string =>
    text
      .replace(/str(\d+)_/g, (_raw, at: string) => reading.strings[Number(at)] ?? "")
      .replace(/blk(\d+)_/g, (_raw, at: string) => reading.blocks[Number(at)]?.text ?? "")
      .replace(/url(\d+)_/g, (_raw, at: string) => reading.addresses[Number(at)] ?? "")
      .trim();
  for (const sentence of sentences) {
    const { message } = sentence;
    if (!SPEAKS.test(sentence.raw) && !/@/.test(sentence.raw + reading.strings.join())) {
      left.push(sentence);
      continue;
    }
    const marked = takeMailAddresses(sentence.raw, reading);
    const last = orders.at(-1);
    if (ONLY_ADDRESSES.test(marked.text.trim()) && last?.recipients === "missing") {
      Object.assign(last, { recipients: "written", to: marked.addresses, message });
      continue;
    }
    const { raw, beside } = takeBeside(marked.text, marked.addresses, (text) =>
      putBack(spell(text), marked.addresses),
    );
    const head = headOf(raw, marked.addresses);
    if (head === null && (last === undefined || Object.keys(beside).length === 0)) {
      left.push(sentence);
      continue;
    }
    if (head === null) {
      if (last !== undefined) Object.assign(last, beside, { message });
      left.push(...without(sentence, putBack(raw, marked.addresses)));
      continue;
    }
    const named = last?.recipients === "missing" && head.order.recipients === "written";
    if (last !== undefined && named) Object.assign(last, beside, { ...head.order, message });
    else orders.push({ ...NEW, ...beside, ...head.order, message });
    const rest = withContent(head);
    const further = furtherHeads(rest, marked.addresses);
    orders.push(...further.heads.map((one) => ({ ...NEW, ...one.order, message })));
    left.push(...without(sentence, putBack(further.raw, marked.addresses)));
    contents.push(...without(sentence, putBack(head.raw.replace(PLACE, " "), marked.addresses)));
  }
  const others = [...left.filter((one) => sentences.includes(one)), ...contents];
  const alone = !others.some(asks);
  const all = orders.map((order) => ({ ...order, whole: alone }));
  return { sentences: rows ? left : withSummary(left, all), order: all };
}

/** "Open … and mail a summary" asks for a summary where nothing else is asked for. */
function withSummary(sentences: Sentence[], orders: readonly MailOrder[]): Sentence[] {
  const last = sentences.at(-1);
  const wanted = orders.some((order) => order.about === "summary" && order.text === null);
  if (!wanted || last === undefined || sentences.some(asks)) return sentences;
  return [...sentences.slice(0, -1), ...without(last, `${last.raw} , summarize it`)];
}

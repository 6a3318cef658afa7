import { putBack, takeMailAddresses } from "../language/mail-addresses.ts";
import type { Reading, Sentence } from "../language/reading.ts";
import { says } from "./clause.ts";
import { furtherHeads, headOf, PLACE, withContent } from "./mail-head.ts";
import {
  ATTACH,
  ATTACHED_TO,
  BODY,
  COLON_TEXT,
  COPY,
  REPLY_TO,
  SPEAKS,
  SUBJECT,
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
  /** Whether it is sent only if what was asked turns out true. */
  conditional: boolean;
  /** Whether it says in its own words what it tells. */
  own: boolean;
  /** Whether the mail is all that was asked for: what it tells is found for it alone. */
  whole: boolean;
  /** Whether a blind copy was asked for, which cannot be sent. */
  blind: boolean;
  /** The last message that spoke of it. */
  message: number;
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
  conditional: false,
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

/** Takes the e-mails out that the client asked for. Only addresses of the client's own words count. */
export function takeMail(sentences: readonly Sentence[], reading: Reading): Taken<MailOrder[]> {
  const orders: MailOrder[] = [];
  const left: Sentence[] = [];
  const contents: Sentence[] = [];
  const spell = (text: string): string =>
    text
      .replace(/str(\d+)_/g, (_raw, at: string) => reading.strings[Number(at)] ?? "")
      .replace(/blk(\d+)_/g, (_raw, at: string) => reading.blocks[Number(at)]?.text ?? "")
      .replace(/url(\d+)_/g, (_raw, at: string) => reading.addresses[Number(at)] ?? "")
      .trim();
  let written: number | null = null;
  for (const sentence of sentences) {
    const { message } = sentence;
    const open = orders.at(-1);
    if (written === message && open !== undefined) {
      // The text of a mail goes on to the end of the message.
      open.text = `${(open.text ?? "").replace(/(?<![.!?])$/, ".")} ${spell(sentence.raw)}.`;
      continue;
    }
    if (!SPEAKS.test(sentence.raw) && !/@/.test(sentence.raw + reading.strings.join())) {
      left.push(sentence);
      continue;
    }
    const marked = takeMailAddresses(
      sentence.raw.replace(ATTACHED_TO, " send the file by email "),
      reading,
    );
    const last = orders.at(-1);
    if (ONLY_ADDRESSES.test(marked.text.trim()) && last?.recipients === "missing") {
      Object.assign(last, { recipients: "written", to: marked.addresses, message });
      continue;
    }
    const spelled = (text: string): string => putBack(spell(text), marked.addresses);
    const colon = reading.addresses.length === 0 ? COLON_TEXT.exec(marked.text) : null;
    const order = colon === null ? marked.text : marked.text.replace(colon[0], ` ${colon[1]}`);
    const { raw, beside } = takeBeside(order, marked.addresses, spelled);
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
    if (colon !== null) {
      beside.text = spelled(colon[2] ?? "");
      written = message;
    }
    if (head.order.text !== null) head.order.text = spelled(head.order.text);
    const named = last?.recipients === "missing" && head.order.recipients === "written";
    const own = { ...head.order, ...beside, message };
    if (last !== undefined && named) Object.assign(last, own);
    else orders.push({ ...NEW, ...own });
    const rest = withContent(head);
    const further = furtherHeads(rest, marked.addresses);
    orders.push(...further.heads.map((one) => ({ ...NEW, ...one.order, message })));
    left.push(...without(sentence, putBack(further.raw, marked.addresses)));
    contents.push(...without(sentence, putBack(head.raw.replace(PLACE, " "), marked.addresses)));
  }
  const others = [...left.filter((one) => sentences.includes(one)), ...contents];
  const alone = !others.some(asks);
  return { sentences: left, order: orders.map((order) => ({ ...order, whole: alone })) };
}

/** "Open … and mail a summary" asks for a summary where nothing else is asked for. */
export function withSummary(sentences: Sentence[], orders: readonly MailOrder[]): Sentence[] {
  const last = sentences.at(-1);
  const wanted = orders.some((order) => order.about === "summary" && order.text === null);
  if (!wanted || last === undefined || sentences.some(asks)) return sentences;
  return [...sentences.slice(0, -1), ...without(last, `${last.raw} , summarize it`)];
}

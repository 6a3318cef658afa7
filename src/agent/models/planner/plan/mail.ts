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
  NOT_WANTED,
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
  const taking = new Taking(reading);
  for (const sentence of sentences) taking.take(sentence);
  const others = [...taking.left.filter((one) => sentences.includes(one)), ...taking.contents];
  const alone = !others.some(asks);
  return { sentences: taking.left, order: taking.orders.map((one) => ({ ...one, whole: alone })) };
}

/** Mails as they are taken out of one sentence after another. */
class Taking {
  orders: MailOrder[] = [];
  /** The sentences without the orders. */
  readonly left: Sentence[] = [];
  /** The same without what the mails are to tell, where that stands in the order. */
  readonly contents: Sentence[] = [];
  /** The message whose end belongs to the text of a mail. */
  private writing: number | null = null;
  private readonly reading: Reading;
  private readonly quotesAddress: boolean;

  constructor(reading: Reading) {
    this.reading = reading;
    this.quotesAddress = reading.strings.some((text) => text.includes("@"));
  }

  take(sentence: Sentence): void {
    const last = this.orders.at(-1);
    if (this.writing === sentence.message && last !== undefined) {
      last.text = `${(last.text ?? "").replace(/(?<![.!?])$/, ".")} ${this.spell(sentence.raw)}.`;
      return;
    }
    const speaks = SPEAKS.test(sentence.raw) || sentence.raw.includes("@") || this.quotesAddress;
    if (!speaks) this.left.push(sentence);
    else if (NOT_WANTED.test(sentence.raw)) this.takeBack(sentence);
    else this.takeOrder(sentence);
  }

  /** "Do not mail it" calls off what earlier messages ordered, and orders nothing itself. */
  private takeBack(sentence: Sentence): void {
    this.orders = this.orders.filter(({ message }) => message >= sentence.message);
    for (const rest of without(sentence, sentence.raw.replace(NOT_WANTED, " , "))) this.take(rest);
  }

  private takeOrder(sentence: Sentence): void {
    const { message } = sentence;
    const asked = sentence.raw.replace(ATTACHED_TO, " send the file by email ");
    const marked = takeMailAddresses(asked, this.reading);
    const { addresses } = marked;
    const last = this.orders.at(-1);
    if (ONLY_ADDRESSES.test(marked.text.trim()) && last?.recipients === "missing") {
      Object.assign(last, { recipients: "written", to: addresses, message });
      return;
    }
    const spelled = (text: string): string => putBack(this.spell(text), addresses);
    const colon = this.reading.addresses.length === 0 ? COLON_TEXT.exec(marked.text) : null;
    const order = colon === null ? marked.text : marked.text.replace(colon[0], ` ${colon[1]}`);
    const { raw, beside } = takeBeside(order, addresses, spelled);
    const head = headOf(raw, addresses);
    if (head === null) {
      const about = last !== undefined && Object.keys(beside).length > 0;
      if (about) Object.assign(last, beside);
      this.left.push(...(about ? without(sentence, putBack(raw, addresses)) : [sentence]));
      return;
    }
    if (colon !== null) {
      beside.text = spelled(colon[2] ?? "");
      this.writing = message;
    }
    const { text } = head.order;
    this.add({ ...NEW, ...head.order, text: text && spelled(text), ...beside, message }, sentence);
    const further = furtherHeads(withContent(head), addresses);
    this.orders.push(...further.heads.map((one) => ({ ...NEW, ...one.order, message })));
    const kept = head.raw.replace(PLACE, " ");
    // Beside a text of the client's own there is nothing to find.
    const rest = colon === null ? further.raw : kept;
    this.left.push(...without(sentence, putBack(rest, addresses)));
    this.contents.push(...without(sentence, putBack(kept, addresses)));
  }

  /** Adds an order: it names whom an earlier one left open, or takes the place of earlier ones. */
  private add(order: MailOrder, { text }: Sentence): void {
    const last = this.orders.at(-1);
    if (last?.recipients === "missing" && order.recipients === "written") this.orders.pop();
    if (/\binstead\b/.test(text)) {
      this.orders = this.orders.filter(({ message }) => message >= order.message);
    }
    const { subject, attach } = last?.recipients === "missing" ? last : NEW;
    this.orders.push({
      ...order,
      subject: order.subject ?? subject,
      attach: order.attach || attach,
    });
  }

  /** Words of the client as they were written. */
  private spell(text: string): string {
    const { strings, blocks, addresses } = this.reading;
    return text
      .replace(/str(\d+)_/g, (_raw, at: string) => strings[Number(at)] ?? "")
      .replace(/blk(\d+)_/g, (_raw, at: string) => blocks[Number(at)]?.text ?? "")
      .replace(/url(\d+)_/g, (_raw, at: string) => addresses[Number(at)] ?? "")
      .trim();
  }
}

/** "Open … and mail a summary" asks for a summary where nothing else is asked for. */
export function withSummary(sentences: Sentence[], orders: readonly MailOrder[]): Sentence[] {
  const last = sentences.at(-1);
  const wanted = orders.some((order) => order.about === "summary" && order.text === null);
  if (!wanted || last === undefined || sentences.some(asks)) return sentences;
  return [...sentences.slice(0, -1), ...without(last, `${last.raw} , summarize it`)];
}

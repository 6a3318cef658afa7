import { putBack, takeMailAddresses } from "../language/mail-addresses.ts";
import type { Reading, Sentence } from "../language/reading.ts";
import { asks } from "./asks-for.ts";
import { takeBeside } from "./mail-beside.ts";
import { furtherHeads, headOf, PLACE, withContent } from "./mail-head.ts";
import {
  AFTER_TEXT,
  ATTACHED_TO,
  COLON_TEXT,
  HOLD,
  MAY_CHANGE,
  NOT_TO,
  NOT_WANTED,
  SPEAKS,
  STOP,
  UNREAD_ORDER,
} from "./mail-words.ts";
import { type Taken, without } from "./taken.ts";

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
  /** Whether it is sent only under the condition of the run. */
  conditional: boolean;
  /** Whether it is to be written and not sent. */
  draft: boolean;
  /** Whether it says in its own words what it tells. */
  own: boolean;
  /** Whether the mail is all that was asked for: what it tells is found for it alone. */
  whole: boolean;
  /** Whether a blind copy was asked for, which cannot be sent. */
  blind: boolean;
  /** The last message that spoke of it. */
  message: number;
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
  draft: false,
  own: false,
  whole: false,
  blind: false,
};

/** A reply that is nothing but addresses, to the question where to send it. */
const ONLY_ADDRESSES =
  /^(?:(?:to|send it to|use|please|my|the|it is|it's|address|is|and)\s+)*mail\d+_(?:[\s,]*(?:and\s+)?mail\d+_)*\s*(?:please|thanks)?$/i;

/** The e-mails of a prompt, and the words that may change them and were not understood. */
export interface TakenMails extends Taken<MailOrder[]> {
  doubt: string | null;
}

/** Takes the e-mails out that the client asked for. Only addresses of the client's own words count. */
export function takeMail(
  sentences: readonly Sentence[],
  reading: Reading,
  under: Set<Sentence>,
): TakenMails {
  const taking = new Taking(reading, under);
  for (const sentence of sentences) taking.take(sentence);
  const others = [...taking.left.filter((one) => sentences.includes(one)), ...taking.contents];
  const alone = !others.some(asks);
  const order = taking.orders.map((one) => ({ ...one, whole: alone }));
  return { sentences: taking.left, order, doubt: taking.doubt };
}

/** Whether a sentence orders an e-mail. */
export function ordersMail({ raw }: Sentence, reading: Reading): boolean {
  const marked = takeMailAddresses(raw, reading);
  return headOf(marked.text, marked.addresses) !== null;
}

/** "Draft an e-mail to …": that alone sends nothing. */
const DRAFT =
  /\b(?:draft|prepare)\s+(?:me\s+)?(?:an?|the|one)?\s*(?:\w+\s+)?(?:e-?mails?|mails?)\b(?!.*\b(?:and|then)\s+(?:then\s+)?(?:send|mail|e-?mail)\b)/i;

function places(list: string, addresses: readonly string[]): string[] {
  return [...list.matchAll(/mail(\d+)_/g)].flatMap(([, at]) => addresses[Number(at)] ?? []);
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
  /** Words about the mails that no rule read. */
  doubt: string | null = null;
  private readonly reading: Reading;
  private readonly under: Set<Sentence>;
  private readonly quotesAddress: boolean;

  constructor(reading: Reading, under: Set<Sentence>) {
    this.reading = reading;
    this.under = under;
    this.quotesAddress = reading.strings.some((text) => text.includes("@"));
  }

  take(sentence: Sentence): void {
    const last = this.orders.at(-1);
    if (AFTER_TEXT.test(sentence.raw)) this.writing = null;
    if (this.writing === sentence.message && last !== undefined) {
      last.text = `${(last.text ?? "").replace(/(?<![.!?])$/, ".")} ${this.spell(sentence.raw)}.`;
      return;
    }
    const { raw } = sentence;
    if (last !== undefined && STOP.test(raw)) {
      this.hold();
      return;
    }
    const held = HOLD.exec(raw);
    if (held !== null && (last !== undefined || ordersMail(sentence, this.reading))) {
      this.takeRest(sentence, raw.replace(held[0], " , "));
      this.hold();
      return;
    }
    const speaks = SPEAKS.test(raw) || raw.includes("@") || this.quotesAddress;
    if (!speaks) this.left.push(sentence);
    else if (NOT_WANTED.test(sentence.raw)) this.takeBack(sentence);
    else this.takeOrder(sentence);
  }

  /** What was ordered is not sent. */
  private hold(): void {
    this.orders = this.orders.map((order) => ({ ...order, draft: true }));
  }

  /** "Do not mail it" calls off what earlier messages ordered, and orders nothing itself. */
  private takeBack(sentence: Sentence): void {
    if (/\b(?:if|unless|when)\b/i.test(sentence.raw)) this.doubt ??= this.spell(sentence.raw);
    this.orders = this.orders.filter(({ message }) => message >= sentence.message);
    this.takeRest(sentence, sentence.raw.replace(NOT_WANTED, " , "));
  }

  /** Goes on with what is left of a sentence; what it orders hangs on the same condition. */
  private takeRest(sentence: Sentence, raw: string): void {
    for (const rest of without(sentence, raw)) {
      if (this.under.has(sentence)) this.under.add(rest);
      this.take(rest);
    }
  }

  private takeOrder(sentence: Sentence): void {
    const { message } = sentence;
    const asked = sentence.raw.replace(ATTACHED_TO, " send the file by email ");
    const { addresses, text: all } = takeMailAddresses(asked, this.reading);
    const excluded = NOT_TO.exec(all);
    const marked = { text: excluded === null ? all : all.replace(excluded[0], " ") };
    const spared = places(excluded?.[1] ?? "", addresses);
    const last = this.orders.at(-1);
    if (ONLY_ADDRESSES.test(marked.text.trim()) && last?.recipients === "missing") {
      Object.assign(last, { recipients: "written", to: addresses, message });
      return;
    }
    const spelled = (text: string): string => this.spell(putBack(text, addresses));
    const colon = this.reading.addresses.length === 0 ? COLON_TEXT.exec(marked.text) : null;
    const order = colon === null ? marked.text : marked.text.replace(colon[0], ` ${colon[1]}`);
    const { raw, beside } = takeBeside(order, addresses, spelled);
    const head = headOf(raw, addresses);
    if (head === null) {
      const about = last !== undefined && Object.keys(beside).length > 0;
      if (about) Object.assign(last, beside);
      if (about && beside.text !== undefined) this.writing = message;
      this.spare(spared);
      if (spared.length === 0) this.doubtOf(sentence, putBack(raw, addresses), last);
      this.left.push(...(about ? without(sentence, putBack(raw, addresses)) : [sentence]));
      return;
    }
    if (colon !== null) {
      beside.text = spelled(colon[2] ?? "");
      this.writing = message;
    }
    const { text } = head.order;
    const conditional = this.under.has(sentence);
    const draft = DRAFT.test(asked);
    const own = { ...NEW, ...head.order, conditional, draft, message };
    this.add({ ...own, text: text && spelled(text), ...beside }, sentence);
    const further = furtherHeads(withContent(head), addresses);
    this.orders.push(
      ...further.heads.map((one) => ({ ...NEW, ...one.order, conditional, draft, message })),
    );
    this.spare(spared);
    const kept = head.raw.replace(PLACE, " ");
    // Beside a text of the client's own there is nothing to find.
    const rest = colon === null ? further.raw : kept;
    this.left.push(...without(sentence, putBack(rest, addresses)));
    this.contents.push(...without(sentence, putBack(kept, addresses)));
  }

  /** Takes recipients out that are not to get it. */
  private spare(spared: readonly string[]): void {
    if (spared.length === 0) return;
    this.orders = this.orders
      .map((order) => ({ ...order, to: order.to.filter((one) => !spared.includes(one)) }))
      .filter(({ to, recipients }) => to.length > 0 || recipients !== "written");
  }

  /** A sentence that no rule read and that may change an order keeps it from being sent. */
  private doubtOf(sentence: Sentence, rest: string, last: MailOrder | undefined): void {
    if (last === undefined && UNREAD_ORDER.test(rest)) this.doubt ??= this.spell(sentence.raw);
    if (last === undefined || last.recipients !== "written") return;
    const addressed = /\S@\S/.test(rest);
    const later = sentence.message > last.message;
    const changes = MAY_CHANGE.test(rest) && (addressed || SPEAKS.test(rest));
    if (changes || (later && addressed)) this.doubt ??= this.spell(sentence.raw);
  }

  /** Adds an order: it names whom an earlier one left open, or takes the place of earlier ones. */
  private add(order: MailOrder, { text }: Sentence): void {
    const last = this.orders.at(-1);
    if (last?.recipients === "missing" && order.recipients === "written") this.orders.pop();
    if (/\b(?:instead|rather|correction)\b/.test(text)) {
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
    // In one go: what a value says is not read again.
    return text
      .replace(/(str|blk|url)(\d+)_/g, (_raw, kind: string, place: string) => {
        const at = Number(place);
        if (kind === "blk") return blocks[at]?.text ?? "";
        return (kind === "str" ? strings : addresses)[at] ?? "";
      })
      .trim();
  }
}

/** "Open … and mail a summary" asks for a summary where nothing else is asked for. */
export function withSummary(
  sentences: Sentence[],
  { mails, posts }: { mails: readonly MailOrder[]; posts: readonly { summary: boolean }[] },
): Sentence[] {
  const last = sentences.at(-1);
  const wanted =
    mails.some((order) => order.about === "summary" && order.text === null) ||
    posts.some(({ summary }) => summary);
  if (!wanted || last === undefined || sentences.some(asks)) return sentences;
  return [...sentences.slice(0, -1), ...without(last, `${last.raw} , summarize it`)];
}

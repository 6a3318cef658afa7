import { normalize } from "../language/normalize.ts";
import { takeForm } from "./form.ts";
import type { MailOrder } from "./mail.ts";
import {
  A_MAIL_TO,
  A_MAIL_WITH,
  GOES_TO,
  IN_A_MAIL,
  TO_FOUND,
  TO_NOBODY,
  WHAT_TO_WHOM,
  WHOM_WHAT,
} from "./mail-words.ts";

/** Stands where an order was taken out of a sentence. */
export const PLACE = "\u0000";
const MAX_MAILS = 5;

const QUALIFIED =
  "(?:(?:whole|full|final|complete|short|brief|quick|little|one[- ]line|resulting|cleaned?(?:[- ]up)?|finished|merged|combined|sorted|filtered|new|same|above) )*";
/** Words that go back to what the other sentences ask for. */
const BACK = new RegExp(
  `^(?:me |us )?(?:(?:a copy of |a list of |both )?(?:me|us|it|them|this|that|these|those|everything|all(?: of (?:it|them|that))?|what you (?:find|found|get|got))|(?:(?:the|an?|your|my|all the|all|these|those|this|that) )?${QUALIFIED}(?:results?|lists?|tables?|summary|report|answers?|output|data|rows|findings|outcome|workbook|spreadsheet|files?|sheet|csv|excel|xlsx|document|numbers?|figures?|information|info|details|overview|digest|copy|emails?|message|values?)(?: (?:file|workbook|sheet|table))?)(?: of (?:it|them|this|that|everything|the (?:results?|findings|data|tables?|pages?|list|rows)|what you (?:find|found)))?(?: (?:back|over|along|there|too|as well|when (?:you are )?(?:done|ready|finished)|once done|afterwards))?(?=$| ?,| and | plus | then )`,
);
const FILES = /\b(?:workbook|spreadsheet|files?|sheet|csv|excel|xlsx|document)\b/;

/** What a mail is to tell, in the words of the order. */
interface Told extends Pick<MailOrder, "about" | "own" | "text"> {
  /** What is asked for by these words alone; nothing where they go back to what was asked. */
  content: string;
}

const PLAIN: Told = { content: "", about: "answer", own: false, text: null };
/** "that lunch is at noon": a statement is sent as it is. */
const THAT =
  /^\s*that\s+(.*\b(?:is|are|was|were|has|have|had|will|would|can|must|should|shall|may|does|did|do|needs?|starts?|begins?|ends?|closes?|opens?|costs?|c[ao]mes?|goes|went|works?|fails?|left|paid|gets?|got|makes?|made|wants?|lives?|\w+ed|\w+n['’]t|cannot)\b.*)$/i;
/** "a short note with the number": what a mail is called itself. */
const NOTE =
  /^\s*(?:an?|one)\s+(?:(?:short|brief|quick|little|small)\s+)*(?:notes?|lines?|messages?|heads[- ]up|e-?mails?|mails?)\b\s*(?:with|about|of|on|containing|including|listing)?/i;
const LITERAL = /^\s*(?:with\s+)?str\d+_\s*$/;

/** What an order's object comes to: what it asks for by itself, and what it is about. */
export function objectOf(object: string): Told {
  if (LITERAL.test(object)) return { ...PLAIN, text: object };
  const text = THAT.exec(object)?.[1];
  if (text !== undefined && !BACK.test(normalize(object))) return { ...PLAIN, text };
  const { form, rest } = takeForm(normalize(object.replace(NOTE, " ")));
  const told = rest.replace(/^(?:and|with|about|of) /, "").trim();
  const back = BACK.exec(told)?.[0] ?? null;
  const about = /\b(?:summary|overview|digest|report)\b/.test(back ?? "")
    ? "summary"
    : FILES.test(back ?? "")
      ? "file"
      : "answer";
  const csv = form === "csv" || (about === "file" && /\bcsv\b/.test(told));
  const asForm = csv ? " , as csv" : form === "xlsx" ? " , as xlsx" : "";
  if (/^(?:the )?(?:file |workbook )?[\w.-]+\.(?:xlsx?|csv)$/.test(normalize(object))) {
    return { ...PLAIN, about: "file" };
  }
  if (told === "") return { ...PLAIN, content: asForm, about };
  if (back === null)
    return { ...PLAIN, content: ` , get ${object.replace(NOTE, " ")} , `, about, own: true };
  const more = told.slice(back.length).trim();
  return { ...PLAIN, content: `${more === "" ? "" : ` , ${more} , `}${asForm}`, about };
}

/** An order as one sentence has it. */
export interface Head {
  /** The sentence, with a mark in the order's place. */
  raw: string;
  order: Pick<MailOrder, "recipients" | "to"> & Omit<Told, "content">;
  content: string;
}

const WRITTEN: { pattern: RegExp; list: number; object: number }[] = [
  { pattern: A_MAIL_WITH, list: 2, object: 1 },
  { pattern: A_MAIL_TO, list: 1, object: 2 },
  { pattern: WHOM_WHAT, list: 1, object: 2 },
  { pattern: WHAT_TO_WHOM, list: 2, object: 1 },
  { pattern: GOES_TO, list: 2, object: 1 },
  { pattern: IN_A_MAIL, list: 1, object: 0 },
];

/** The order itself in one sentence; null when it orders no mail. */
export function headOf(raw: string, addresses: readonly string[]): Head | null {
  const head = (
    match: RegExpExecArray,
    told: string,
    whom: Pick<MailOrder, "recipients" | "to">,
  ) => {
    const { content, ...order } = objectOf(told);
    return { raw: raw.replace(match[0], ` ${PLACE} `), content, order: { ...order, ...whom } };
  };
  for (const { pattern, list, object } of WRITTEN) {
    const match = pattern.exec(raw);
    if (match === null) continue;
    const places = [...(match[list] ?? "").matchAll(/mail(\d+)_/g)];
    const to = [...new Set(places.flatMap(([, at]) => addresses[Number(at)] ?? []))];
    // What is told in a mail that stands at the end of another order is that order.
    const told = object === 0 ? "" : (match[object] ?? "");
    return head(match, told, { recipients: "written", to });
  }
  const found = TO_FOUND.exec(raw);
  if (found !== null) return head(found, found[1] ?? "it", { recipients: "found", to: [] });
  const nobody = TO_NOBODY.exec(raw);
  if (nobody === null) return null;
  const told = nobody.slice(1).find((group) => group !== undefined) ?? "";
  return head(nobody, told, { recipients: "missing", to: [] });
}

/** The sentence with what the order asks for in its place. */
export function withContent({ raw, content }: Head): string {
  return raw.replace(PLACE, () => content);
}

/** Further orders in the same sentence: "mail the list to … and the file to …" has two. */
export function furtherHeads(
  raw: string,
  addresses: readonly string[],
): { raw: string; heads: Head[] } {
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

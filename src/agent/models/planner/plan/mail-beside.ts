import { putBack } from "../language/mail-addresses.ts";
import type { MailOrder } from "./mail.ts";
import {
  ATTACH,
  ATTACH_PAGE,
  ATTACH_ROWS,
  BODY,
  COPY,
  REPLY_TO,
  SAYING,
  SUBJECT,
} from "./mail-words.ts";

/** What is said beside an order: subject, copies, attachments, a text of one's own. */
type Beside = Partial<Pick<MailOrder, "subject" | "cc" | "replyTo" | "text" | "attach" | "blind">>;

/** Takes out what a sentence says beside the order itself. */
export function takeBeside(
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
  if (ATTACH_PAGE.test(rest)) {
    rest = rest.replace(ATTACH_PAGE, " , get ");
    beside.attach = true;
  } else if (take(ATTACH_ROWS) !== null) beside.attach = true;
  const body = take(BODY);
  const said = body ?? take(SAYING);
  const text = spell((said?.[1] ?? "").replace(/[\s,]+$/, ""));
  if (text !== "") beside.text = text;
  return { raw: rest, beside };
}

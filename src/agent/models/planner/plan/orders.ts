import type { Reading, Sentence } from "../language/reading.ts";
import { ownSentences } from "./announced.ts";
import { type Cleaning, takeCleaning } from "./cleaning.ts";
import { type CodeOrder, takeCode } from "./code.ts";
import { type Condition, takeConditions } from "./conditions.ts";
import { type DocumentOrder, takeDocument } from "./document.ts";
import { joinBody } from "./join-body.ts";
import { type MailOrder, ordersMail, takeMail, withSummary } from "./mail.ts";
import { type PostOrder, posts, takePosts } from "./post.ts";
import { type RemoteOrder, takeRemote } from "./remote.ts";
import { type Rendering, takeRendering } from "./rendering.ts";
import { eachChange } from "./request.ts";
import { without } from "./taken.ts";
import { wantsWholeList } from "./whole-list.ts";
import { takeWorkbook, type WorkbookOrder } from "./workbook.ts";

/** What is to happen before and after the answer is found: how pages are read, what becomes of it. */
export interface Orders {
  rendering: Rendering | null;
  remote: RemoteOrder | null;
  code: CodeOrder | null;
  cleaning: Cleaning | null;
  workbook: WorkbookOrder | null;
  document: DocumentOrder | null;
  mails: MailOrder[];
  posts: PostOrder[];
  /** Under what the mails and posts that are `conditional` are sent. */
  condition: Condition | null;
  /** Whether files hold the whole list, beside an answer that was worked out of it. */
  wholeList: boolean;
  /** Words about the mails that no rule read: then none is sent. */
  doubt: string | null;
}

export const NO_ORDERS: Orders = {
  rendering: null,
  remote: null,
  code: null,
  cleaning: null,
  workbook: null,
  document: null,
  mails: [],
  posts: [],
  condition: null,
  wholeList: false,
  doubt: null,
};

/**
 * Takes all orders out of what the client wrote, so that what is left speaks of the data alone. What
 * stands behind "this text:" is data: orders in it are nobody's.
 */
export function takeOrders(reading: Reading): { reading: Reading; orders: Orders } {
  const announced = ownSentences(reading.sentences);
  const kept = new Set(announced);
  const data = reading.sentences.filter((sentence) => !kept.has(sentence));
  const own = joinBody(announced).flatMap((one) => {
    const changes = eachChange(one.raw);
    return changes.length < 2 ? [one] : changes.flatMap((raw) => without(one, raw));
  });
  const remote = takeRemote(own, reading);
  const rendering = takeRendering(remote.sentences);
  const code = takeCode(rendering.sentences, reading);
  const document = takeDocument(code.sentences, reading);
  const workbook = takeWorkbook(document.sentences, reading);
  const sends = (one: Sentence): boolean => ordersMail(one, reading) || posts(one, reading);
  const conditions = takeConditions(workbook.sentences, sends);
  const posting = takePosts(conditions.sentences, reading, conditions.under);
  const mails = takeMail(posting.sentences, reading, conditions.under);
  const cleaning = takeCleaning(mails.sentences);
  const orders: Orders = {
    rendering: rendering.order,
    remote: remote.order,
    code: code.order,
    cleaning: cleaning.order,
    workbook: workbook.order,
    document: document.order,
    mails: mails.order,
    posts: posting.order,
    condition: conditions.condition,
    wholeList: mails.order.length > 0 && wantsWholeList(own),
    doubt: mails.doubt,
  };
  const rows =
    workbook.order !== null ||
    document.order !== null ||
    cleaning.order !== null ||
    code.order !== null ||
    remote.order !== null;
  const left = rows ? cleaning.sentences : withSummary(cleaning.sentences, orders);
  const sentences = [...left, ...data].sort((one, two) => one.message - two.message);
  return { reading: { ...reading, sentences }, orders };
}

import type { Reading } from "../language/reading.ts";
import { ownSentences } from "./announced.ts";
import { type Cleaning, takeCleaning } from "./cleaning.ts";
import { type CodeOrder, takeCode } from "./code.ts";
import { type MailOrder, takeMail } from "./mail.ts";
import { type Rendering, takeRendering } from "./rendering.ts";
import { takeWorkbook, type WorkbookOrder } from "./workbook.ts";

/** What is to happen before and after the answer is found: how pages are read, what becomes of it. */
export interface Orders {
  rendering: Rendering | null;
  code: CodeOrder | null;
  cleaning: Cleaning | null;
  workbook: WorkbookOrder | null;
  mails: MailOrder[];
}

export const NO_ORDERS: Orders = {
  rendering: null,
  code: null,
  cleaning: null,
  workbook: null,
  mails: [],
};

/**
 * Takes all orders out of what the client wrote, so that what is left speaks of the data alone. What
 * stands behind "this text:" is data: orders in it are nobody's.
 */
export function takeOrders(reading: Reading): { reading: Reading; orders: Orders } {
  const own = ownSentences(reading.sentences);
  const kept = new Set(own);
  const data = reading.sentences.filter((sentence) => !kept.has(sentence));
  const rendering = takeRendering(own);
  const code = takeCode(rendering.sentences, reading);
  const workbook = takeWorkbook(code.sentences, reading);
  const cleaning = takeCleaning(workbook.sentences);
  const rows = workbook.order !== null || cleaning.order !== null || code.order !== null;
  const mails = takeMail(cleaning.sentences, reading, rows);
  const orders: Orders = {
    rendering: rendering.order,
    code: code.order,
    cleaning: cleaning.order,
    workbook: workbook.order,
    mails: mails.order,
  };
  const sentences = [...mails.sentences, ...data].sort((one, two) => one.message - two.message);
  return { reading: { ...reading, sentences }, orders };
}

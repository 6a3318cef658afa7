import { mailbox } from "./objects.ts";

/** Rows of orders that are more than a tool reads. */
export const TOO_MANY_ORDERS = 56_000;

/** The address of a CSV file of orders of 1 each, with about 40 bytes for a row. */
export async function ordersAt(rows: number): Promise<string> {
  const site = mailbox();
  const line = (n: number) => `order-${String(n).padStart(30, "0")},1\n`;
  const body = `order,amount\n${Array.from({ length: rows }, (_, n) => line(n)).join("")}`;
  await site.answer({ headers: { "content-type": "text/csv" }, body });
  return site.url;
}

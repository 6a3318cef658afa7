import * as z from "zod";
import type { ToolCall } from "./call.ts";

/** A tool that changes nothing. */
export const READ = { readOnlyHint: true, openWorldHint: false };
/** A tool that ends or deletes something of the account for good. */
export const END = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};
/** A tool that starts or directs an agent: what that sends or changes outside depends on its prompt. */
export const ACT = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, "must be 1 to 255 visible ASCII characters")
  .optional()
  .describe(
    "A unique id of this call. Repeating the call with the same key and arguments returns the first result and does nothing twice, for at least 24 hours.",
  );

const limit = z.int().min(1).max(100).default(20).describe("The maximum number of items.");
const cursor = z.exactOptional(z.string().describe("The `nextCursor` of the previous page."));
export const nextCursor = z
  .string()
  .nullable()
  .describe("Pass it as `cursor` to get the next page; null on the last page.");

/** The fields of every list's input. */
export const PAGE = { limit, cursor };

/** The options of an API call that must not act twice. */
export function onceWith(key: string | undefined, { signal, idempotencyKey: sent }: ToolCall) {
  const once = key ?? sent;
  return { signal, ...(once !== undefined && { idempotencyKey: once }) };
}

import type { ApiKeyRecord } from "../../../contract/account.ts";
import type { Page } from "../../context.ts";
import { notFound } from "../../not-found.ts";
import { readSession } from "../../session.ts";

/** The account's key of this id; throws a 404 where there is none. */
export async function keyOf(http: Page, keyId: string): Promise<ApiKeyRecord> {
  for await (const record of http.get("api").keys.all()) {
    if (record.keyId === keyId) return record;
  }
  throw notFound(http);
}

/**
 * The end of the key that the reader has signed in with. Another key may end alike, one in 15 million;
 * it is only warned about.
 */
export async function currentEnd(http: Page): Promise<string | null> {
  return (await readSession(http, Date.now()))?.slice(-4) ?? null;
}

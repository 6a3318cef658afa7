import { PrompthookError } from "../../../client/error.ts";
import type { ApiKeyRecord } from "../../../contract/account.ts";
import { PROBLEMS } from "../../../contract/problem.ts";
import type { Page } from "../../context.ts";
import { readSession } from "../../session.ts";

/** The account's key of this id; throws a 404 where there is none. */
export async function keyOf(http: Page, keyId: string): Promise<ApiKeyRecord> {
  for await (const record of http.get("api").keys.all()) {
    if (record.keyId === keyId) return record;
  }
  const { status, title } = PROBLEMS.not_found;
  throw new PrompthookError(
    {
      type: "about:blank",
      code: "not_found",
      status,
      title,
      detail: title,
      requestId: http.get("requestId"),
    },
    null,
  );
}

/**
 * The end of the key that the reader has signed in with. Another key may end alike, one in 15 million;
 * it is only warned about.
 */
export async function currentEnd(http: Page): Promise<string | null> {
  return (await readSession(http, Date.now()))?.slice(-4) ?? null;
}

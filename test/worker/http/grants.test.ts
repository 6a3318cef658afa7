import { describe, expect, it } from "vitest";
import { accountRecord } from "../../../src/contract/operators.ts";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import { expectProblem, newAccount, send } from "../../support/worker/client.ts";

const grant = (accountId: string, body: unknown, headers: Record<string, string> = {}) =>
  send(`/api/v1/admin/accounts/${accountId}/credits`, {
    method: "POST",
    token: ADMIN_TOKEN,
    body,
    headers,
  });

const available = async (response: Response) =>
  accountRecord.parse(await response.json()).availableCredits;

const invoice = { amount: 41, note: "Invoice 7" };

describe("granting credits", () => {
  it("adds them with each call that has no idempotency key", async () => {
    const { accountId } = await newAccount({ credits: 1 });
    await grant(accountId, invoice);
    const second = await grant(accountId, invoice);
    expect(second.headers.get("Idempotency-Replayed")).toBeNull();
    expect(await available(second)).toBe(83);
  });

  it("adds them once for the same key and body, however often it comes", async () => {
    const { accountId } = await newAccount({ credits: 1 });
    const key = { "Idempotency-Key": "invoice-7" };
    const all = await Promise.all([1, 2, 3].map(() => grant(accountId, invoice, key)));
    expect(await Promise.all(all.map(available))).toEqual([42, 42, 42]);
    const replayed = all.map(({ headers }) => headers.get("Idempotency-Replayed"));
    expect(replayed.filter((header) => header === null)).toHaveLength(1);
    expect(replayed.filter((header) => header === "true")).toHaveLength(2);
  });

  it("refuses a key that comes again with another body, and one that is none", async () => {
    const { accountId } = await newAccount({ credits: 1 });
    const key = { "Idempotency-Key": "invoice-7" };
    await grant(accountId, invoice, key);
    for (const other of [
      { ...invoice, amount: 42 },
      { ...invoice, note: "Invoice 8" },
    ]) {
      await expectProblem(await grant(accountId, other, key), 422, "idempotency_key_reused");
    }
    const spaced = { "Idempotency-Key": "with space" };
    await expectProblem(await grant(accountId, invoice, spaced), 400, "invalid_request");
    expect(await available(await grant(accountId, { amount: 1, note: "one" }))).toBe(43);
  });

  it("takes the key of one account for none of another's", async () => {
    const [one, two] = [await newAccount({ credits: 0 }), await newAccount({ credits: 0 })];
    const key = { "Idempotency-Key": "invoice-7" };
    await grant(one.accountId, invoice, key);
    expect(await available(await grant(two.accountId, invoice, key))).toBe(41);
  });
});

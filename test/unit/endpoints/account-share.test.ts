import { afterEach, describe, expect, it, vi } from "vitest";
import type { InboxGrant, InboxReport } from "../../../src/contract/account.ts";
import { AccountShare } from "../../../src/endpoints/account-share.ts";

const NOTHING: InboxGrant = { granted: 0, retryAfterSeconds: 7, full: null };

afterEach(() => vi.restoreAllMocks());

/** A share of an account that answers like this; `asked` are the questions. */
function shareOf(unaskedPerMinute: number, answer: () => InboxGrant | Promise<InboxGrant>) {
  const asked: InboxReport[] = [];
  let storedBytes = 0;
  const share = new AccountShare({
    unaskedPerMinute: () => unaskedPerMinute,
    storedBytes: () => storedBytes,
    ask: async (report) => {
      asked.push(report);
      return answer();
    },
  });
  return {
    share,
    asked,
    grow: (bytes: number) => {
      storedBytes += bytes;
    },
    async take(now: number) {
      if (share.mustAsk(now)) await share.ask(now);
      return share.take(now);
    },
  };
}

describe("an inbox", () => {
  it("asks its account for nothing within its own share of the minute", async () => {
    const { take, asked } = shareOf(2, () => NOTHING);
    expect([await take(0), await take(1), await take(60_001)]).toEqual([null, null, null]);
    expect(asked).toEqual([]);
  });

  it("asks once for all requests of a grant, and again once it is used up or a minute old", async () => {
    const { take, asked } = shareOf(0, () => ({ ...NOTHING, granted: 2 }));
    for (const now of [0, 1, 2, 3]) expect(await take(now)).toBeNull();
    expect(asked).toHaveLength(2);
    expect(await take(4)).toBeNull();
    expect(await take(60_004)).toBeNull();
    expect(asked).toHaveLength(4);
  });

  it("refuses requests without a grant, and asks at most once a second", async () => {
    const { take, asked } = shareOf(0, () => NOTHING);
    for (const now of [0, 10, 999]) expect(await take(now)).toMatchObject({ retryAfterSeconds: 7 });
    expect(asked).toHaveLength(1);
    await take(1_000);
    expect(asked).toHaveLength(2);
  });

  it("accepts requests while its account does not answer", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const { take } = shareOf(0, () => Promise.reject(new Error("down")));
    expect(await take(0)).toBeNull();
  });

  it("reports its size after a change of a MiB, and learns that the account is full", async () => {
    const { share, asked, grow } = shareOf(100, () => ({ ...NOTHING, full: "It is full." }));
    grow(1_048_575);
    share.report(0);
    expect(asked).toEqual([]);
    grow(1);
    share.report(0);
    expect(asked).toEqual([{ wanted: 0, storedBytes: 1_048_576 }]);
    await expect.poll(() => share.full(1)).toBe("It is full.");
    share.report(59_999);
    expect(asked).toHaveLength(1);
    share.report(60_000);
    expect(asked).toHaveLength(2);
  });
});

import { expect, it } from "vitest";
import { FairShare } from "../../../src/lib/fair-share.ts";

/** Takes as many places as the accounts get, one after the other; returns how many each has. */
function takeAll(share: FairShare, ...accounts: string[]): Record<string, number> {
  const taken = Object.fromEntries(accounts.map((account) => [account, 0]));
  for (let more = true; more; ) {
    more = false;
    for (const account of accounts) {
      if (!share.take(account)) continue;
      taken[account] = (taken[account] ?? 0) + 1;
      more = true;
    }
  }
  return taken;
}

it("gives a sole account half of the slots", () => {
  expect(takeAll(new FairShare(12), "a")).toEqual({ a: 6 });
});

it("gives busy accounts equal parts, and keeps one part free", () => {
  expect(takeAll(new FairShare(12), "a", "b", "c")).toEqual({ a: 3, b: 3, c: 3 });
});

it("gives a newcomer a slot beside an account with its full share", () => {
  const share = new FairShare(12);
  takeAll(share, "a");
  expect(takeAll(share, "b", "a")).toEqual({ b: 3, a: 0 });
});

it("reuses a returned slot", () => {
  const share = new FairShare(2);
  expect(takeAll(share, "a")).toEqual({ a: 1 });
  share.release("a");
  expect(takeAll(share, "a")).toEqual({ a: 1 });
});

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AccessControl } from "../../../src/accounts/access.ts";
import type { Credential } from "../../../src/contract/account.ts";
import { StorageChanges } from "../../../src/durable/storage-changes.ts";
import { accountStorage } from "../../support/table-storage.ts";

const START = 1_800_000_000_040;
const CREDENTIAL: Credential = { keyHash: "h", scope: null, rateClass: "agent" };
const CALLERS = {
  check: () => ({
    kind: "valid" as const,
    key: { keyId: "key_1", scopes: [], name: "first" },
    by: { kind: "key" as const, id: "key_1", name: "first" },
  }),
  flush: () => {},
};

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the stored rate", () => {
  /** An account with this limit, as the process that starts now has it. */
  function account(limit: number) {
    const { sql } = accountStorage();
    const open = () => new AccessControl(sql, CALLERS, new StorageChanges(sql), Date.now());
    let access = open();
    return {
      ask: () => access.admit(CREDENTIAL, limit, Date.now()),
      restart: () => {
        access = open();
      },
    };
  }

  it("after a restart admits a caller who waited as long as the refusal said", () => {
    const { ask, restart } = account(2);
    ask();
    vi.advanceTimersByTime(50);
    ask();
    const refused = ask();
    expect(refused).toMatchObject({ kind: "rate_limited", rate: { resetSeconds: 60 } });
    vi.advanceTimersByTime(60_000);
    restart();
    expect(ask()).toMatchObject({ kind: "admitted", rate: { remaining: 1 } });
  });

  it("after a restart refuses until a minute after the first request", () => {
    const { ask, restart } = account(1);
    ask();
    vi.advanceTimersByTime(59_999);
    restart();
    expect(ask()).toMatchObject({ kind: "rate_limited", rate: { resetSeconds: 1 } });
    vi.advanceTimersByTime(1);
    expect(ask()).toMatchObject({ kind: "admitted" });
  });

  it("of a high limit counts each request at most a tenth of a second longer", () => {
    const { ask, restart } = account(1_000);
    for (let n = 0; n < 1_000; n += 1) ask();
    vi.advanceTimersByTime(60_000 - 1);
    restart();
    expect(ask()).toMatchObject({ kind: "rate_limited" });
    vi.advanceTimersByTime(100);
    expect(ask()).toMatchObject({ kind: "admitted" });
  });
});

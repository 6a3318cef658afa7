import { describe, expect, it } from "vitest";
import type { Authorized, Denial } from "../../../src/contract/account.ts";
import { DEFAULT_QUOTAS } from "../../../src/contract/operators.ts";
import type { ExecutionSeed } from "../../../src/contract/session.ts";
import type { Http } from "../../../src/http/context.ts";
import { callSession, readSession } from "../../../src/http/executions/session.ts";
import { callOnce } from "../../../src/http/problem.ts";
import { seedOf } from "../../support/execution.ts";

const EXECUTION = "5c0f7a5e-7a3e-4b57-9d1c-0a7f3f6f2b11";

const seed = seedOf({ executionId: EXECUTION, accountId: "acc_000000000000" });

const callerWith = (pending: ExecutionSeed | null): Authorized => ({
  kind: "authorized",
  accountId: seed.accountId,
  keyId: "key_0000000000000000",
  scopes: [],
  endpointIds: null,
  by: { kind: "key", id: "key_0000000000000000", name: "key" },
  rate: { rateClass: "agent", limit: 60, remaining: 59, resetSeconds: 1 },
  quotas: DEFAULT_QUOTAS,
  pending,
});

/** A session that knows itself once it was started, if `starts`. */
function session(starts: boolean) {
  const seen: string[] = [];
  let known = false;
  const stub = {
    async start(given: ExecutionSeed) {
      seen.push(`start ${given.executionId}`);
      known = starts;
    },
    async stop() {
      seen.push("stop");
      return known ? { kind: "stopped" as const, body: "final" } : { kind: "unknown" as const };
    },
  };
  const env = { SESSION_HOST: { getByName: () => stub } } as unknown as CloudflareEnv;
  const ask = (caller: Authorized) =>
    callSession(
      { http: { env }, caller, params: { executionId: EXECUTION } },
      () => stub.stop(),
      callOnce,
    );
  return { ask, seen };
}

describe("callSession", () => {
  it("starts an accepted execution that was not started, and asks again", async () => {
    const { ask, seen } = session(true);
    expect(await ask(callerWith(seed))).toEqual({ kind: "stopped", body: "final" });
    expect(seen).toEqual(["stop", `start ${EXECUTION}`, "stop"]);
  });

  it("starts nothing that this account did not trigger", async () => {
    const { ask, seen } = session(true);
    await expect(ask(callerWith(null))).rejects.toMatchObject({ code: "not_found" });
    expect(seen).toEqual(["stop"]);
  });

  it("gives up if the session is still unknown", async () => {
    const { ask, seen } = session(false);
    await expect(ask(callerWith(seed))).rejects.toMatchObject({ code: "not_found" });
    expect(seen.length).toBe(3);
  });
});

describe("readSession", () => {
  const credential = { keyHash: "", scope: "executions:read", rateClass: "agent" } as const;

  /** A read whose account decides only after the session was asked. */
  async function read(reply: Authorized | Denial) {
    const asked = Promise.withResolvers<void>();
    const status = async () => {
      asked.resolve();
      return { kind: "found" as const };
    };
    const authorize = () => asked.promise.then(() => reply);
    const env = {
      SESSION_HOST: { getByName: () => ({ status }) },
      ACCOUNT: { getByName: () => ({ authorize }) },
    };
    const req = { param: () => EXECUTION, header: () => "Bearer ph_live_x" };
    const http = { env, req, set: () => {} } as unknown as Http;
    const holder = { accountId: seed.accountId, credential };
    const request = { http, caller: holder, params: { executionId: EXECUTION } };
    return readSession(request, () => status());
  }

  it("reads the session while the account verifies the key", async () => {
    expect(await read(callerWith(null))).toEqual({ kind: "found" });
  });

  it("returns nothing to a caller that the account refuses", async () => {
    const refused = read({ kind: "unauthorized", reason: "revoked" });
    await expect(refused).rejects.toMatchObject({ code: "unauthorized" });
  });
});

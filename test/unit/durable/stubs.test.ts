import { expect, it } from "vitest";
import { newAccountId } from "../../../src/accounts/key-format.ts";
import {
  accountStub,
  callFailure,
  inboxStub,
  sessionHostStub,
} from "../../../src/durable/stubs.ts";
import { newEndpointId } from "../../../src/endpoints/endpoint-id.ts";
import type { Place } from "../../../src/lib/place.ts";
import { regionOf } from "../../../src/lib/place.ts";

const EXECUTION = "019a8b2c-6f00-7c3d-9005-3b1d7a9a1f42";

/** A service that returns, in place of an object, where it was looked for. */
function lookedFor() {
  const within = (jurisdiction: string | null) => ({
    getByName: (_: string, options?: object) => ({ jurisdiction, ...options }),
    jurisdiction: within,
  });
  const namespace = within(null);
  return {
    ACCOUNT: namespace,
    SESSION_HOST: namespace,
    INBOX: namespace,
  } as unknown as CloudflareEnv;
}

/** Where the objects of an account at a place are looked for. */
async function objectsOf(place: Place | null, sender: Parameters<typeof inboxStub>[2] = null) {
  const env = lookedFor();
  const accountId = newAccountId(new Uint8Array(9), place);
  const endpointId = await newEndpointId(new Uint8Array(16), [btoa("k".repeat(32))], place);
  return {
    account: accountStub(env, accountId),
    host: sessionHostStub(env, accountId, EXECUTION),
    inbox: inboxStub(env, endpointId, sender),
  };
}

it("finds all objects of an account within its jurisdiction", async () => {
  const there = { jurisdiction: "eu" };
  const objects = await objectsOf({ kind: "jurisdiction", name: "eu" }, "enam");
  expect(objects).toEqual({ account: there, host: there, inbox: there });
});

it("creates all objects of an account near its region", async () => {
  const there = { jurisdiction: null, locationHint: "apac" };
  const objects = await objectsOf({ kind: "region", name: "apac" }, "enam");
  expect(objects).toEqual({ account: there, host: there, inbox: there });
});

it("creates an inbox near its first sender if the account has no place", async () => {
  const anywhere = { jurisdiction: null };
  const objects = await objectsOf(null, "enam");
  expect(objects).toMatchObject({ account: anywhere, host: anywhere });
  expect(objects.inbox).toEqual({ jurisdiction: null, locationHint: "enam" });
});

it.each([
  [{ continent: "EU" }, "weur"],
  [{ continent: "NA", longitude: "-122.4" }, "wnam"],
  [{ continent: "NA", longitude: "-74.0" }, "enam"],
  [{ continent: "NA" }, "enam"],
  [{ continent: "AN" }, null],
  [undefined, null],
])("locates the sender at %j in %s", (cf, region) => {
  expect(regionOf(cf)).toBe(region);
});

it.each([
  ["an error of the object itself", {}, false, false],
  ["an object that was reset", { retryable: true }, false, true],
  [
    "an overloaded object, whatever else they say",
    { overloaded: true, retryable: true },
    true,
    false,
  ],
])("reads the platform's flags of %s", (_, flags, isOverloaded, isRetryable) => {
  const error = Object.assign(new Error("failed"), flags);
  expect(callFailure(error)).toMatchObject({ isOverloaded, isRetryable });
  expect(callFailure(undefined)).toMatchObject({ isOverloaded: false, isRetryable: false });
});

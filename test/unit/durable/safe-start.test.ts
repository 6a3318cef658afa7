import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Account } from "../../../src/accounts/account.ts";
import { EndpointInbox } from "../../../src/endpoints/inbox.ts";
import { SessionHost } from "../../../src/executions/host.ts";
import { newExecutionId } from "../../../src/lib/execution-id.ts";
import { DrivenObject } from "../../support/driven-object.ts";
import { configWith, workflowWith } from "../../support/endpoint.ts";
import { seedOf } from "../../support/execution.ts";
import { requestWith } from "../../support/logged.ts";

const TEN_MINUTES = 600_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  vi.spyOn(console, "info").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** What the objects call: all of it is away until `isBack`. */
function surroundings() {
  const calls: { name: string; of: string }[] = [];
  const world = { isBack: false, calls, unknown: [] as string[] };
  const called = async (name: string, of: string) => {
    if (!world.isBack) throw new Error("It is away.");
    calls.push({ name, of });
  };
  const host = {
    start: ({ executionId }: { executionId: string }) => called("start", executionId),
    lookAfter: async (executionIds: string[]) => {
      for (const executionId of executionIds) await called("lookAfter", executionId);
      return world.unknown;
    },
  };
  const account = {
    report: ({ row }: { row: { executionId: string } }) => called("report", row.executionId),
  };
  const prepare = () => {
    throw new Error("It is away.");
  };
  const env = {
    SESSION_HOST: { getByName: () => host },
    ACCOUNT: { getByName: () => account },
    INBOUND: {
      sendBatch: async ([message]: { body: { requestIds: string[] } }[]) =>
        called("sendBatch", message?.body.requestIds[0] ?? ""),
    },
    DB: { prepare },
  } as unknown as CloudflareEnv;
  return Object.assign(world, { env });
}

const KEY = { keyId: "key_1", last4: "abcd", name: "first" };

/** An account that has accepted an execution and could not start it. */
async function accountWithStart(env: CloudflareEnv) {
  const account = new DrivenObject((state) => new Account(state, env));
  const executionId = newExecutionId();
  await account.call((object) =>
    object.create({
      accountId: "acc_1",
      name: "test",
      credits: 100,
      requestsPerMinute: null,
      key: { ...KEY, keyHash: "hash", scopes: [], expiresAt: null },
    }),
  );
  const {
    executionId: _,
    accountId,
    createdAt,
    heldCredits,
    heldBecause,
    mcpServers,
    ...rest
  } = seedOf();
  const draft = { ...rest, connections: [], maxCredits: 10 };
  await account.call((object) => object.acceptBatch([{ executionId, draft }]));
  return { object: account, expected: { name: "start", of: executionId } };
}

const NO_EVENT = { eventId: null, eventIdSource: null, eventKey: null };

/** An inbox that has accepted a request and could not send it. */
async function inboxWithWork(env: CloudflareEnv) {
  const inbox = new DrivenObject((state) => new EndpointInbox(state, env));
  const config = configWith({ workflow: workflowWith() });
  await inbox.call((object) => object.configure(config));
  const requestId = crypto.randomUUID();
  await inbox.call((object) =>
    object.accept({
      configVersion: config.version,
      request: requestWith({ requestId, body: null, receivedAt: Date.now() }),
      decision: { kind: "accept", ...NO_EVENT, mappedInputs: {}, warnings: [] },
    }),
  );
  return { object: inbox, expected: { name: "sendBatch", of: requestId } };
}

/** A host with an execution that has ended and could not report it. */
async function hostWithReport(env: CloudflareEnv) {
  const host = new DrivenObject((state) => new SessionHost(state, env));
  const seed = seedOf({ executionId: newExecutionId(), heldCredits: 0, heldBecause: "balance" });
  await host.call((object) => object.start(seed));
  return { object: host, expected: { name: "report", of: seed.executionId } };
}

describe.each([
  ["an account", accountWithStart],
  ["an inbox", inboxWithWork],
  ["a host of sessions", hostWithReport],
])("%s", (_, open) => {
  it.each([
    ["cannot be constructed", "refuses"],
    ["dies at each alarm", "dies"],
  ] as const)("that %s for ten minutes resumes its work without a request", async (_, process) => {
    const world = surroundings();
    const { object, expected } = await open(world.env);
    object.end();
    object.process = process;
    await object.drive(TEN_MINUTES);
    expect(object.failures).toBeGreaterThan(6);
    expect(world.calls).toEqual([]);

    object.process = "works";
    world.isBack = true;
    await object.drive(TEN_MINUTES);
    expect(world.calls).toContainEqual(expected);
  });
});

it("an account checks an execution that is overdue, and restarts it if its host does not know it", async () => {
  const world = surroundings();
  const { object, expected } = await accountWithStart(world.env);
  world.isBack = true;
  await object.drive(10_000);
  expect(world.calls).toEqual([expected]);

  await object.drive(20 * 60_000);
  expect(world.calls).toEqual([expected, { ...expected, name: "lookAfter" }]);
  world.unknown = [expected.of];
  await object.drive(15 * 60_000);
  const seen = world.calls.slice(2).map(({ name }) => name);
  expect(seen).toEqual(["lookAfter", "start"]);
});

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { app } from "../../../../src/app.ts";
import { endpointRecord } from "../../../../src/contract/webhooks/endpoint.ts";
import type { Arrival } from "../../../../src/contract/webhooks/inbox.ts";
import { inboxStub } from "../../../../src/durable/stubs.ts";
import { resolveEndpoint } from "../../../../src/endpoints/resolve.ts";
import { LockedEndpointError } from "../../../../src/intake/secrets.ts";
import { insertEndpoint, loadEndpoint } from "../../../../src/records/endpoints.ts";
import { configWith } from "../../../support/endpoint.ts";
import { expectProblem, newAccount, ORIGIN, send } from "../../../support/worker/client.ts";
import {
  changedEndpoint,
  newEndpoint,
  readEndpoint,
  saved,
  WEBHOOKS,
} from "../../../support/worker/endpoints.ts";
import { issuedEndpointId } from "../../../support/worker/ids.ts";

let account: Awaited<ReturnType<typeof newAccount>>;
beforeAll(async () => {
  account = await newAccount();
});
afterEach(() => vi.restoreAllMocks());

/** Sends a request to a service some of whose bindings are others. */
async function sendWith(bindings: object, path: string, method = "GET", body?: unknown) {
  const context = createExecutionContext();
  const request = new Request(ORIGIN + path, {
    method,
    headers: { Authorization: `Bearer ${account.apiKey}`, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const response = await app.fetch(request, { ...env, ...bindings }, context);
  await waitOnExecutionContext(context);
  return response;
}

/** Inboxes of which these calls fail; the others are the real ones'. */
function inboxesFailing(...calls: string[]) {
  const getByName = (name: string) => {
    const failing = Object.fromEntries(
      calls.map((call) => [call, () => Promise.reject(new Error("the inbox is away"))]),
    );
    return { ...bound(name), ...failing };
  };
  return { INBOX: { getByName } };
}

function bound(name: string) {
  const inbox = inboxStub(env, name);
  return {
    expectChange: () => inbox.expectChange(),
    configure: (config: Parameters<typeof inbox.configure>[0]) => inbox.configure(config),
    queuedCount: () => inbox.queuedCount(),
  };
}

const page = z.object({ endpoints: z.array(endpointRecord) });

async function namesListed(): Promise<string[]> {
  const response = await send(WEBHOOKS, { token: account.apiKey });
  return page.parse(await response.json()).endpoints.map(({ name }) => name);
}

/** A request that was admitted under this version of the configuration. */
const arrival = (configVersion: number): Arrival => ({
  configVersion,
  request: {
    requestId: crypto.randomUUID(),
    method: "POST",
    path: "/hooks/x",
    query: {},
    headers: {},
    contentType: null,
    body: null,
    bodyTruncated: false,
    sourceIp: null,
    receivedAt: Date.now(),
    replayOf: null,
    edited: false,
  },
  decision: {
    kind: "accept",
    eventId: null,
    eventIdSource: null,
    eventKey: null,
    mappedInputs: null,
    warnings: [],
  },
});

/** An endpoint whose inbox holds a request. */
async function deliveredEndpoint(name: string) {
  const endpoint = await newEndpoint(account.apiKey, { name });
  const { status } = await send(`/hooks/${endpoint.endpointId}`, { method: "POST", body: {} });
  expect(status).toBe(202);
  return endpoint;
}

describe("a change holds with its answer", () => {
  it("in the inbox and in this isolate, when it is changed and deleted", async () => {
    const { endpointId } = await deliveredEndpoint("first");
    expect((await resolveEndpoint(env, endpointId))?.config.name).toBe("first");
    await changedEndpoint(account.apiKey, endpointId, { name: "second" });
    expect((await resolveEndpoint(env, endpointId))?.config.name).toBe("second");
    expect(await inboxStub(env, endpointId).accept(arrival(1))).toMatchObject({
      kind: "outdated",
      config: { name: "second" },
    });
    await send(`${WEBHOOKS}/${endpointId}`, { method: "DELETE", token: account.apiKey });
    expect((await resolveEndpoint(env, endpointId))?.config).toMatchObject({ deleted: true });
    expect(await inboxStub(env, endpointId).accept(arrival(2))).toMatchObject({
      kind: "outdated",
      config: { deleted: true },
    });
  });

  it("also after D1 was restored to an earlier time, when the inbox knows a later change", async () => {
    const { endpointId } = await newEndpoint(account.apiKey, { name: "first" });
    const row = "SELECT version, settings, updated_at FROM endpoints WHERE endpoint_id = ?";
    const before = await env.DB.prepare(row).bind(endpointId).raw();
    await changedEndpoint(account.apiKey, endpointId, { name: "second" });
    await env.DB.prepare(
      "UPDATE endpoints SET version = ?, settings = ?, updated_at = ? WHERE endpoint_id = ?",
    )
      .bind(...z.array(z.union([z.string(), z.number()])).parse(before[0]), endpointId)
      .run();
    await changedEndpoint(account.apiKey, endpointId, { name: "third" });
    expect(await inboxStub(env, endpointId).accept(arrival(1))).toMatchObject({
      config: { name: "third" },
    });
  });
});

describe("an inbox that cannot be reached", () => {
  it("is not needed for a new endpoint: its first delivery creates it, near the sender", async () => {
    const bindings = { INBOX: {} };
    const made = await saved(await sendWith(bindings, WEBHOOKS, "POST", { name: "new" }), 201);
    expect(made.queuedCount).toBe(0);
    expect((await send(`/hooks/${made.endpointId}`, { method: "POST", body: {} })).status).toBe(
      202,
    );
  });

  it("before the change is written, keeps it from being made", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const { endpointId } = await newEndpoint(account.apiKey, { name: "before" });
    const bindings = inboxesFailing("expectChange");
    const path = `${WEBHOOKS}/${endpointId}`;
    const response = await sendWith(bindings, path, "PATCH", { name: "never" });
    await expectProblem(response, 503, "unavailable");
    expect(await namesListed()).not.toContain("never");
  });

  it("after it, does not: the inbox looks by itself, and the made secret is not lost", async () => {
    const told = vi.spyOn(console, "error").mockReturnValue();
    const bindings = inboxesFailing("configure");
    const { endpointId } = await newEndpoint(account.apiKey, { name: "early" });
    const body = { name: "late", auth: { token: {} } };
    const path = `${WEBHOOKS}/${endpointId}`;
    const made = await saved(await sendWith(bindings, path, "PATCH", body), 200);
    expect(made.secrets?.token).toBeDefined();
    expect(told.mock.calls.flat().join()).toContain("inbox not configured");
    expect((await readEndpoint(account.apiKey, made.endpointId)).name).toBe("late");
  });

  it("hides nothing but how many requests it holds", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const { endpointId } = await newEndpoint(account.apiKey);
    const bindings = inboxesFailing("queuedCount");
    const response = await sendWith(bindings, WEBHOOKS);
    const { endpoints } = page.parse(await response.json());
    expect(endpoints.map(({ queuedCount }) => queuedCount)).toContain(null);
    const one = await sendWith(bindings, `${WEBHOOKS}/${endpointId}`);
    expect(endpointRecord.parse(await one.json())).toMatchObject({ endpointId, queuedCount: null });
  });
});

describe("requests that are held", () => {
  it("are counted, alone and in the list", async () => {
    const { endpointId } = await deliveredEndpoint("held");
    for (let n = 0; n < 2; n += 1) await inboxStub(env, endpointId).accept(arrival(1));
    expect((await readEndpoint(account.apiKey, endpointId)).queuedCount).toBe(3);
    const response = await send(WEBHOOKS, { token: account.apiKey });
    const { endpoints } = page.parse(await response.json());
    expect(endpoints.find((each) => each.endpointId === endpointId)?.queuedCount).toBe(3);
  });
});

describe("while D1 is away", () => {
  it("answers 503 to everything, changes nothing, and serves the endpoints that it knows", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const { endpointId } = await newEndpoint(account.apiKey, { name: "known" });
    await env.DB.exec("ALTER TABLE endpoints RENAME TO endpoints_away");
    try {
      const path = `${WEBHOOKS}/${endpointId}`;
      for (const [method, where, body] of [
        ["POST", WEBHOOKS, { name: "x" }],
        ["GET", WEBHOOKS, undefined],
        ["GET", path, undefined],
        ["PATCH", path, { name: "x" }],
        ["DELETE", path, undefined],
        ["POST", `${path}/rotate-secret`, undefined],
      ] as const) {
        const response = await send(where, { method, token: account.apiKey, body });
        await expectProblem(response, 503, "unavailable");
      }
      expect((await resolveEndpoint(env, endpointId))?.config.name).toBe("known");
      await expect(resolveEndpoint(env, await issuedEndpointId())).rejects.toThrow();
    } finally {
      await env.DB.exec("ALTER TABLE endpoints_away RENAME TO endpoints");
    }
    expect((await readEndpoint(account.apiKey, endpointId)).name).toBe("known");
  });
});

describe("the key that secrets are sealed with", () => {
  const noKey = { ENCRYPTION_KEY: "" };

  it("is needed for endpoints with secrets alone", async () => {
    const withSecret = { name: "x", auth: { token: {} } };
    const refused = await sendWith(noKey, WEBHOOKS, "POST", withSecret);
    await expectProblem(refused, 503, "unavailable");
    const taken = await sendWith(noKey, WEBHOOKS, "POST", { name: "x" });
    expect(taken.status).toBe(201);
  });

  it("being lost, lets nobody in, and keeps no one from setting new secrets", async () => {
    const told = vi.spyOn(console, "error").mockReturnValue();
    const stored = await newEndpoint(account.apiKey, { auth: { token: { secret: "known" } } });
    const config = await loadEndpoint(env.DB, account.accountId, stored.endpointId);
    // Sealed for another endpoint, it is as good as sealed with another key.
    const moved = configWith({
      endpointId: await issuedEndpointId(),
      accountId: account.accountId,
      ...(config && { auth: config.auth }),
    });
    await insertEndpoint(env.DB, moved, 100);
    await expect(resolveEndpoint(env, moved.endpointId)).rejects.toThrow(LockedEndpointError);
    expect(told.mock.calls.flat().join()).toContain("ENCRYPTION_KEY");
    await changedEndpoint(account.apiKey, moved.endpointId, { name: "still locked" });
    await expect(resolveEndpoint(env, moved.endpointId)).rejects.toThrow(LockedEndpointError);
    await changedEndpoint(account.apiKey, moved.endpointId, { auth: {} });
    await changedEndpoint(account.apiKey, moved.endpointId, { auth: { token: {} } });
    expect((await resolveEndpoint(env, moved.endpointId))?.token?.current).toBeDefined();
  });
});

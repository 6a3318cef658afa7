import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { endpointRecord } from "../../../../src/contract/webhooks/endpoint.ts";
import { inboxStub } from "../../../../src/durable/stubs.ts";
import { resolveEndpoint } from "../../../../src/endpoints/resolve.ts";
import { LockedEndpointError } from "../../../../src/intake/secrets.ts";
import { insertEndpoint, loadEndpoint } from "../../../../src/records/endpoints.ts";
import { configWith } from "../../../support/endpoint.ts";
import { expectProblem, newAccount, send } from "../../../support/worker/client.ts";
import {
  changedEndpoint,
  newEndpoint,
  readEndpoint,
  removeEndpoint,
  saved,
} from "../../../support/worker/endpoints.ts";
import { issuedEndpointId } from "../../../support/worker/ids.ts";
import { accepting, requestOf } from "../../../support/worker/inboxes.ts";
import { sendWith } from "../../../support/worker/other-service.ts";
import { WEBHOOKS } from "../../../support/worker/webhooks.ts";

const { apiKey: token, accountId, get } = await newAccount();
afterEach(() => vi.restoreAllMocks());

/** Inboxes of which these calls fail; the others are the real ones'. */
function inboxesFailing(...calls: string[]) {
  const getByName = (name: string) => {
    const inbox = inboxStub(env, name);
    const failing = Object.fromEntries(
      calls.map((call) => [call, () => Promise.reject(new Error("the inbox is away"))]),
    );
    return {
      expectChange: () => inbox.expectChange(),
      configure: (config: Parameters<typeof inbox.configure>[0]) => inbox.configure(config),
      queuedCount: () => inbox.queuedCount(),
      ...failing,
    };
  };
  return { INBOX: { getByName } };
}

const page = z.object({ endpoints: z.array(endpointRecord) });
const listed = async (response?: Response) =>
  page.parse(await (response ?? (await get(WEBHOOKS))).json()).endpoints;

const hook = (endpointId: string) => send(`/hooks/${endpointId}`, { method: "POST", body: {} });

/** Hands a request to an inbox that was admitted under this version of the configuration. */
const accepted = (endpointId: string, configVersion: number) =>
  inboxStub(env, endpointId).accept({
    configVersion,
    request: requestOf(),
    decision: accepting(),
  });

const resolved = async (endpointId: string) => (await resolveEndpoint(env, endpointId))?.config;

describe("a change applies from its response on", () => {
  it("in the inbox and in this isolate, for changes and deletions", async () => {
    const { endpointId } = await newEndpoint(token, { name: "first" });
    expect((await hook(endpointId)).status).toBe(202);
    expect((await resolved(endpointId))?.name).toBe("first");
    await changedEndpoint(token, endpointId, { name: "second" });
    expect((await resolved(endpointId))?.name).toBe("second");
    const outdated = { kind: "outdated", config: { name: "second" } };
    expect(await accepted(endpointId, 1)).toMatchObject(outdated);
    await removeEndpoint(token, endpointId);
    expect(await resolved(endpointId)).toMatchObject({ deleted: true });
    const deleted = { kind: "outdated", config: { deleted: true } };
    expect(await accepted(endpointId, 2)).toMatchObject(deleted);
  });

  it("even after D1 was restored to an earlier time, if the inbox has a later change", async () => {
    const { endpointId } = await newEndpoint(token, { name: "first" });
    const row = "SELECT version, settings, updated_at FROM endpoints WHERE endpoint_id = ?";
    const before = await env.DB.prepare(row).bind(endpointId).raw();
    await changedEndpoint(token, endpointId, { name: "second" });
    await env.DB.prepare(
      "UPDATE endpoints SET version = ?, settings = ?, updated_at = ? WHERE endpoint_id = ?",
    )
      .bind(...z.array(z.union([z.string(), z.number()])).parse(before[0]), endpointId)
      .run();
    await changedEndpoint(token, endpointId, { name: "third" });
    expect(await accepted(endpointId, 1)).toMatchObject({ config: { name: "third" } });
  });
});

describe("an unreachable inbox", () => {
  it("is not needed for a new endpoint: its first delivery creates it near the sender", async () => {
    const request = { method: "POST", token, body: { name: "new" } };
    const made = await saved(await sendWith({ INBOX: {} }, WEBHOOKS, request), 201);
    expect(made.queuedCount).toBe(0);
    expect((await hook(made.endpointId)).status).toBe(202);
  });

  it("before the change is written, prevents the change", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const { endpointId } = await newEndpoint(token, { name: "before" });
    const request = { method: "PATCH", token, body: { name: "never" } };
    const path = `${WEBHOOKS}/${endpointId}`;
    const response = await sendWith(inboxesFailing("expectChange"), path, request);
    await expectProblem(response, 503, "unavailable");
    expect((await listed()).map(({ name }) => name)).not.toContain("never");
  });

  it("after the change is written, does not: the inbox reads it later, and the generated secret is kept", async () => {
    const told = vi.spyOn(console, "error").mockReturnValue();
    const { endpointId } = await newEndpoint(token, { name: "early" });
    const request = { method: "PATCH", token, body: { name: "late", auth: { token: {} } } };
    const path = `${WEBHOOKS}/${endpointId}`;
    const made = await saved(await sendWith(inboxesFailing("configure"), path, request), 200);
    expect(made.secrets?.token).toBeDefined();
    expect(told.mock.calls.flat().join()).toContain("inbox not configured");
    expect((await readEndpoint(token, endpointId)).name).toBe("late");
  });

  it("hides only the number of its held requests", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const { endpointId } = await newEndpoint(token);
    for (let n = 0; n < 3; n += 1) await hook(endpointId);
    const isIt = (each: { endpointId: string }) => each.endpointId === endpointId;
    expect((await readEndpoint(token, endpointId)).queuedCount).toBe(3);
    expect((await listed()).find(isIt)?.queuedCount).toBe(3);
    const bindings = inboxesFailing("queuedCount");
    const list = await listed(await sendWith(bindings, WEBHOOKS, { token }));
    expect(list.find(isIt)?.queuedCount).toBeNull();
    const one = await sendWith(bindings, `${WEBHOOKS}/${endpointId}`, { token });
    expect(endpointRecord.parse(await one.json())).toMatchObject({ endpointId, queuedCount: null });
  });
});

it("during an outage of D1, all but requests of cached endpoints get a 503", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  const { endpointId } = await newEndpoint(token, { name: "known" });
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
      await expectProblem(await send(where, { method, token, body }), 503, "unavailable");
    }
    expect((await resolved(endpointId))?.name).toBe("known");
    await expect(resolveEndpoint(env, await issuedEndpointId())).rejects.toThrow();
  } finally {
    await env.DB.exec("ALTER TABLE endpoints_away RENAME TO endpoints");
  }
  expect((await readEndpoint(token, endpointId)).name).toBe("known");
});

describe("the key that seals secrets", () => {
  it("is needed only for endpoints with secrets", async () => {
    const create = (body: object) =>
      sendWith({ ENCRYPTION_KEY: "" }, WEBHOOKS, { method: "POST", token, body });
    await expectProblem(await create({ name: "x", auth: { token: {} } }), 503, "unavailable");
    expect((await create({ name: "x" })).status).toBe(201);
  });

  it("admits nobody when it is lost, and new secrets can be set", async () => {
    const told = vi.spyOn(console, "error").mockReturnValue();
    const stored = await newEndpoint(token, { auth: { token: { secret: "known" } } });
    const config = await loadEndpoint(env.DB, accountId, stored.endpointId);
    // Sealed for another endpoint, it is as good as sealed with another key.
    const endpointId = await issuedEndpointId();
    const moved = configWith({ endpointId, accountId, ...(config && { auth: config.auth }) });
    await insertEndpoint(env.DB, moved, 100);
    await expect(resolveEndpoint(env, endpointId)).rejects.toThrow(LockedEndpointError);
    expect(told.mock.calls.flat().join()).toContain("ENCRYPTION_KEY");
    await changedEndpoint(token, endpointId, { name: "still locked" });
    await expect(resolveEndpoint(env, endpointId)).rejects.toThrow(LockedEndpointError);
    await changedEndpoint(token, endpointId, { auth: {} });
    await changedEndpoint(token, endpointId, { auth: { token: {} } });
    expect((await resolveEndpoint(env, endpointId))?.token?.current).toBeDefined();
  });
});

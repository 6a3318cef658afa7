import { describe, expect, it } from "vitest";
import { SCOPES } from "../../../src/contract/keys.ts";
import { accountStub } from "../../../src/durable/stubs.ts";
import type { Route } from "../../../src/http/route.ts";
import { routes } from "../../../src/http/routes.ts";
import { sha256Hex } from "../../../src/lib/encoding.ts";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import {
  callsOf,
  env,
  expectProblem,
  newAccount,
  newKey,
  send,
  textIn,
  trigger,
} from "../../support/worker/client.ts";
import { issuedKey } from "../../support/worker/ids.ts";
import { pathOf } from "../../support/worker/routes.ts";
import { newEndpoint } from "../../support/worker/webhooks.ts";

const keyRoutes = routes.filter(({ auth }) => auth.kind === "key");
const adminRoutes = routes.filter(({ auth }) => auth.kind === "admin");
const named = (route: Route) => [`${route.method} ${route.path}`, route] as const;

const account = await newEndpoint({}, []);
/** An account that has nothing. */
const stranger = await newAccount();
/** The ids of what the account has, by the names of path parameters. */
const existing = await resourcesOf(account);

async function resourcesOf({ endpointId, keyId, workflowId, ...rest }: typeof account) {
  const { apiKey, accountId, post } = rest;
  const idOf = async (name: string, path: string, body: object) => ({
    [name]: await textIn(await post(`/api/v1/${path}`, body), name),
  });
  const url = "https://crm.example/mcp";
  const header = { hosts: ["crm.example"], header: "X-Key", value: "a-credential" };
  const requestId = await account.take({});
  return {
    accountId,
    endpointId,
    keyId,
    workflowId: String(workflowId),
    executionId: await trigger(apiKey),
    requestId,
    ...(await idOf("destinationId", "destinations", { name: "crm", format: "standard", url })),
    ...(await idOf("connectionId", "connections", { name: "crm", ...header })),
    ...(await idOf("serverId", "mcp-servers", { name: "crm", url })),
    ...(await idOf("scheduleId", "schedules", { workflowId, everySeconds: 86_400 })),
    ...(await idOf("shareId", "shares", { endpointId, requestId })),
  };
}

/** The route's own good request, so that nothing but the credentials and the ids can be wrong. */
function request(route: Route, token?: string, ids: Record<string, string> = existing) {
  return send(pathOf(route, ids), {
    method: route.method,
    ...(token !== undefined && { token }),
    ...(route.body.content && { body: route.body.content.example }),
  });
}

/** Keys of the account by their scopes: many routes want the same one. */
const keys = new Map<string, ReturnType<typeof newKey>>();

function keyWith(scopes: (typeof SCOPES)[number][]) {
  const made =
    keys.get(scopes.join()) ?? newKey(account.apiKey, { name: "of some scopes", scopes });
  keys.set(scopes.join(), made);
  return made;
}

async function expectUnauthorized(response: Response, challenge: string) {
  await expectProblem(response, 401, "unauthorized");
  expect(response.headers.get("WWW-Authenticate")).toBe(challenge);
  expect(response.headers.get("RateLimit")).toBeNull();
}

const CHALLENGE = 'Bearer realm="prompthook"';
const INVALID = `${CHALLENGE}, error="invalid_token"`;

it("an invalid, unknown, expired or revoked key is refused", async () => {
  const expired = await issuedKey(account.accountId);
  await accountStub(env, account.accountId).createKey({
    keyId: `key_${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`,
    keyHash: await sha256Hex(expired),
    last4: expired.slice(-4),
    name: "old",
    scopes: [...SCOPES],
    expiresAt: Date.now() - 1,
  });
  const revoked = await newKey(account.apiKey, { name: "short-lived" });
  await account.remove(`/api/v1/keys/${revoked.keyId}`);
  const last = account.apiKey.at(-1);
  const mistyped = account.apiKey.slice(0, -1) + (last === "0" ? "1" : "0");
  const unknown = [await issuedKey(account.accountId), await issuedKey("acc_000000000000")];
  // All routes ask for their key in one place.
  for (const key of ["x", mistyped, ADMIN_TOKEN, ...unknown, expired, revoked.apiKey]) {
    await expectUnauthorized(await callsOf(key).get("/api/v1/keys"), INVALID);
  }
});

describe.each(keyRoutes.map(named))("%s", (_, route) => {
  const { auth, method, path } = route;

  it("requires a key with its scope, and names the scope", async () => {
    await expectUnauthorized(await request(route), CHALLENGE);
    if (auth.scope === null) {
      const { apiKey } = await keyWith(["credits:read"]);
      expect((await request(route, apiKey)).status).toBe(200);
      return;
    }
    const others = SCOPES.filter((scope) => scope !== auth.scope && scope !== auth.orScope);
    const response = await request(route, (await keyWith(others)).apiKey);
    const { detail } = await expectProblem(response, 403, "insufficient_scope");
    expect(detail).toContain(`lacks the scope ${auth.scope}.`);
    expect(response.headers.get("WWW-Authenticate")).toBe(
      `${CHALLENGE}, error="insufficient_scope", scope="${auth.scope}"`,
    );
    expect(response.headers.get("RateLimit")).toMatch(/^"\w+";r=\d+;t=\d+$/);
  });

  // PUT creates what does not exist.
  if (!path.includes(":") || method === "PUT") return;

  it("answers for another account's resources like for unknown ones", async () => {
    const theirs = await expectProblem(await request(route, stranger.apiKey), 404, "not_found");
    const nothing = await request(route, stranger.apiKey, {});
    const absent = await expectProblem(nothing, 404, "not_found");
    expect({ ...theirs, requestId: "" }).toEqual({ ...absent, requestId: "" });
  });
});

it("every route of an execution answers 404 for a malformed id", async () => {
  const ofExecution = keyRoutes.filter(({ path }) => path.includes(":executionId"));
  const isMissing = async (route: Route | undefined, executionId: string) => {
    if (route === undefined) throw new Error("no route has an execution");
    await expectProblem(await request(route, account.apiKey, { executionId }), 404, "not_found");
  };
  for (const route of ofExecution) await isMissing(route, "not-a-uuid");
  for (const id of ["1", "%00", "..%2f..", "5c0f7a5e-7a3e-4b57-9d1c-0a7f3f6f2b1", "é"]) {
    await isMissing(ofExecution[0], id);
  }
});

it.each(adminRoutes.map(named))("%s is for operators only", async (_, route) => {
  await expectUnauthorized(await request(route), CHALLENGE);
  for (const token of [account.apiKey, "x", `${ADMIN_TOKEN}x`, ADMIN_TOKEN.toUpperCase()]) {
    await expectUnauthorized(await request(route, token), INVALID);
  }
});

import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { SCOPES } from "../../../src/contract/keys.ts";
import { accountStub } from "../../../src/durable/stubs.ts";
import type { Route } from "../../../src/http/route.ts";
import { routes } from "../../../src/http/routes.ts";
import { sha256Hex } from "../../../src/lib/encoding.ts";
import { ADMIN_TOKEN } from "../../support/worker/bindings.ts";
import {
  env,
  expectProblem,
  newAccount,
  newKey,
  send,
  trigger,
} from "../../support/worker/client.ts";
import { issuedKey } from "../../support/worker/ids.ts";
import { pathOf } from "../../support/worker/routes.ts";
import { newEndpoint, type TestEndpoint } from "../../support/worker/webhooks.ts";

const keyRoutes = routes.filter(({ auth }) => auth.kind === "key");
const adminRoutes = routes.filter(({ auth }) => auth.kind === "admin");
const name = ({ method, path }: Route) => `${method} ${path}`;

let account: TestEndpoint;
/** An account that has nothing. */
let stranger: Awaited<ReturnType<typeof newAccount>>;
/** The ids of what the account has, by the names of path parameters. */
let existing: Record<string, string>;

beforeAll(async () => {
  [account, stranger] = await Promise.all([newEndpoint({}, []), newAccount()]);
  const { apiKey: token, accountId, endpointId, keyId, workflowId } = account;
  const idOf = async (name: string, path: string, body: object) => {
    const made = await send(`/api/v1/${path}`, { method: "POST", token, body });
    return z
      .record(z.string(), z.unknown())
      .transform((one) => String(one[name]))
      .parse(await made.json());
  };
  existing = {
    accountId,
    endpointId,
    keyId,
    workflowId: String(workflowId),
    executionId: await trigger(token),
    requestId: await account.take({}),
    destinationId: await idOf("destinationId", "destinations", {
      name: "crm",
      format: "standard",
      url: "https://crm.example/",
    }),
    connectionId: await idOf("connectionId", "connections", {
      name: "crm",
      hosts: ["crm.example"],
      header: "X-Key",
      value: "a-credential",
    }),
    serverId: await idOf("serverId", "mcp-servers", {
      name: "crm",
      url: "https://crm.example/mcp",
    }),
    scheduleId: await idOf("scheduleId", "schedules", { workflowId, everySeconds: 86_400 }),
  };
  const { requestId } = existing;
  existing.shareId = await idOf("shareId", "shares", { endpointId, requestId });
});

/** The route's own good request, so that nothing but the credentials can be wrong. */
function request(route: Route, token?: string) {
  return send(pathOf(route, existing), {
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

describe("a key", () => {
  // All routes ask for their key in one place.
  const anyRoute = keyRoutes.find(({ auth }) => auth.kind === "key" && auth.scope !== null);
  const ask = (token: string) => {
    if (anyRoute === undefined) throw new Error("no route has a scope");
    return request(anyRoute, token);
  };

  it("that is none is refused without asking anybody", async () => {
    const last = account.apiKey.at(-1);
    const mistyped = account.apiKey.slice(0, -1) + (last === "0" ? "1" : "0");
    for (const token of ["x", mistyped, ADMIN_TOKEN]) {
      await expectUnauthorized(await ask(token), INVALID);
    }
  });

  it("that is well-formed and was never made is refused", async () => {
    for (const accountId of [account.accountId, "acc_000000000000"]) {
      await expectUnauthorized(await ask(await issuedKey(accountId)), INVALID);
    }
  });

  it("that has expired is refused", async () => {
    const apiKey = await issuedKey(account.accountId);
    await accountStub(env, account.accountId).createKey({
      keyId: `key_${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`,
      keyHash: await sha256Hex(apiKey),
      last4: apiKey.slice(-4),
      name: "old",
      scopes: [...SCOPES],
      expiresAt: Date.now() - 1,
    });
    await expectUnauthorized(await ask(apiKey), INVALID);
  });

  it("is refused from the moment that it is revoked", async () => {
    const { apiKey, keyId } = await newKey(account.apiKey, { name: "short-lived" });
    const revoked = await send(`/api/v1/keys/${keyId}`, {
      method: "DELETE",
      token: account.apiKey,
    });
    expect(revoked.status).toBe(204);
    await expectUnauthorized(await ask(apiKey), INVALID);
  });
});

describe.each(keyRoutes.map((route) => [name(route), route] as const))("%s", (_, route) => {
  it("asks for a key", async () => {
    await expectUnauthorized(await request(route), CHALLENGE);
  });

  if (route.auth.scope === null) {
    it("takes a key of any scope", async () => {
      const { apiKey } = await keyWith(["credits:read"]);
      expect((await request(route, apiKey)).status).toBe(200);
    });
    return;
  }

  it("refuses a key that has every scope but the one, names that one, and counts the request", async () => {
    const { auth } = route;
    const scopes = SCOPES.filter((scope) => scope !== auth.scope && scope !== auth.orScope);
    const { apiKey } = await keyWith(scopes);
    const response = await request(route, apiKey);
    const { detail } = await expectProblem(response, 403, "insufficient_scope");
    expect(detail).toContain(`lacks the scope ${route.auth.scope}.`);
    expect(response.headers.get("WWW-Authenticate")).toBe(
      `${CHALLENGE}, error="insufficient_scope", scope="${route.auth.scope}"`,
    );
    expect(response.headers.get("RateLimit")).toMatch(/^"\w+";r=\d+;t=\d+$/);
  });
});

// PUT makes what does not exist.
const onOne = keyRoutes.filter(({ path, method }) => path.includes(":") && method !== "PUT");

describe.each(onOne.map((route) => [name(route), route] as const))("%s", (_, route) => {
  it("answers what another account has like what does not exist", async () => {
    const theirs = await request(route, stranger.apiKey);
    const absent = await send(pathOf(route), {
      method: route.method,
      token: stranger.apiKey,
      ...(route.body.content && { body: route.body.content.example }),
    });
    const [first, second] = [
      await expectProblem(theirs, 404, "not_found"),
      await expectProblem(absent, 404, "not_found"),
    ];
    expect({ ...first, requestId: "" }).toEqual({ ...second, requestId: "" });
  });
});

const onExecution = keyRoutes.filter(({ path }) => path.includes(":executionId"));

it.each(["1", "not-a-uuid", "%00", "..%2f..", "5c0f7a5e-7a3e-4b57-9d1c-0a7f3f6f2b1", "é"])(
  "every route of an execution answers 404 for the malformed id %s",
  async (executionId) => {
    for (const route of onExecution) {
      const { method } = route;
      const response = await send(pathOf(route, { executionId }), {
        method,
        token: account.apiKey,
      });
      await expectProblem(response, 404, "not_found");
    }
  },
);

describe.each(adminRoutes.map((route) => [name(route), route] as const))("%s", (_, route) => {
  it("is for operators only", async () => {
    await expectUnauthorized(await request(route), CHALLENGE);
    for (const token of [account.apiKey, "x", `${ADMIN_TOKEN}x`, ADMIN_TOKEN.toUpperCase()]) {
      await expectUnauthorized(await request(route, token), INVALID);
    }
  });
});

import { afterEach, beforeEach, expect, it } from "vitest";
import { createModel } from "../../../src/agent/models/registry.ts";
import { tryModel } from "../../../src/agent/models/trial.ts";
import { type ProviderKind, providerContext } from "../../../src/contract/models.ts";
import { parseSettings } from "../../../src/env.ts";
import { seal } from "../../../src/lib/secrets.ts";
import { openProviders } from "../../../src/outbound/model-providers.ts";
import { startServer, type TestServer } from "../../support/server.ts";

const ENCRYPTION_KEY = btoa("0123456789abcdef0123456789abcdef");
const settings = parseSettings({ ENCRYPTION_KEY, ALLOW_LOOPBACK: "true" });
const KEY = "a-key-of-the-account";

let elsewhere: TestServer;
let redirecting: TestServer;
let reached: string[];

beforeEach(async () => {
  reached = [];
  elsewhere = await startServer((request, response) => {
    reached.push(JSON.stringify(request.headers));
    response.end("{}");
  });
  redirecting = await startServer((request, response) => {
    request.resume();
    response.writeHead(307, { Location: `${elsewhere.origin}/v1` }).end();
  });
});

afterEach(async () => {
  await Promise.all([elsewhere.close(), redirecting.close()]);
});

async function trial(
  kind: ProviderKind,
  baseUrl: string,
  { ownHosts = [], sealed }: { ownHosts?: string[]; sealed?: string } = {},
) {
  const context = providerContext("acc_1", "prov_1");
  const sealedValue = sealed ?? (await seal(KEY, [ENCRYPTION_KEY], context));
  const rule = { kind, baseUrl, last4: "", models: [], updatedAt: 0 };
  const stored = [{ providerId: "prov_1", name: "mine", rule, sealedValue }];
  const providers = await openProviders("acc_1", stored, ownHosts, settings);
  const model = createModel("mine/m", { settings, bindings: {}, providers }, "c");
  return (await tryModel(model, 5_000, Date.now)).message;
}

it.each(["openai", "anthropic", "google", "openai-compatible"] as const)(
  "a key for %s does not follow a redirect to another host",
  async (kind) => {
    expect(await trial(kind, `${redirecting.origin}/v1`)).toContain("a redirect");
    expect(reached).toEqual([]);
  },
);

it.each([
  ["a private address", "https://10.0.0.1/v1", "private or reserved"],
  ["a name of a private network", "https://models.internal/v1", "private network"],
])("calls no server at %s", async (_, baseUrl, reason) => {
  expect(await trial("openai-compatible", baseUrl)).toContain(reason);
});

it("calls no model at the service itself", async () => {
  const message = await trial("openai-compatible", `${elsewhere.origin}/v1`, {
    ownHosts: [elsewhere.host],
  });
  expect(message).toContain("the service itself");
  expect(reached).toEqual([]);
});

it("asks again for a key that cannot be decrypted", async () => {
  const sealed = "v1.other.AAAA";
  expect(await trial("openai", `${elsewhere.origin}/v1`, { sealed })).toContain("its key again");
  expect(reached).toEqual([]);
});

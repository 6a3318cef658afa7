import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { settingsOf } from "../../../../src/env.ts";
import { openEndpoint } from "../../../../src/intake/secrets.ts";
import { loadEndpoint } from "../../../../src/records/endpoints.ts";
import { faultsOf, newAccount } from "../../../support/worker/client.ts";
import {
  changedEndpoint,
  newEndpoint,
  patchEndpoint,
  postEndpoint,
  saved,
} from "../../../support/worker/endpoints.ts";
import { WEBHOOKS } from "../../../support/worker/webhooks.ts";

const TOKEN = "the-token-of-the-shop-9qX4";
const KEY = "the-key-of-the-shop-Zw3P";
const VALUE = "the-value-of-a-header-L0pK";
const auth = {
  token: { secret: TOKEN },
  hmac: { preset: "github", secret: KEY },
  headers: [{ name: "X-Env", value: VALUE }],
};

const { accountId, apiKey, get, post, remove } = await newAccount();

const create = (given: object) => newEndpoint(apiKey, { auth: given });
const change = (endpointId: string, given: object) =>
  changedEndpoint(apiKey, endpointId, { auth: given });
const rotate = (endpointId: string, body?: object) =>
  post(`${WEBHOOKS}/${endpointId}/rotate-secret`, body);
const rotated = async (endpointId: string, body?: object) =>
  saved(await rotate(endpointId, body), 200);

/** The secrets as the checks see them. */
async function opened(endpointId: string) {
  const config = await loadEndpoint(env.DB, accountId, endpointId);
  if (config === null) throw new Error("there is no such endpoint");
  return await openEndpoint(config, settingsOf(env));
}

describe("given secrets", () => {
  it("appear in no response or row, except for their ends", async () => {
    const answers: string[] = [];
    const keep = async (response: Response) => {
      answers.push(await response.clone().text());
      return response;
    };
    const made = await keep(await postEndpoint(apiKey, { auth }));
    const { endpointId, ...record } = await saved(made, 201);
    expect(record).not.toHaveProperty("secrets");
    expect(record.auth).toMatchObject({
      token: { header: "X-Webhook-Token", secret: { set: true, last4: "9qX4" } },
      hmac: { preset: "github", secret: { set: true, last4: "Zw3P" } },
      headers: [{ name: "X-Env", value: { set: true, last4: "L0pK" } }],
    });
    expect(await opened(endpointId)).toMatchObject({
      token: { current: TOKEN, previous: null },
      hmac: { current: KEY, previous: null },
      headerValues: [VALUE],
    });
    const path = `${WEBHOOKS}/${endpointId}`;
    await keep(await get(path));
    await keep(await get(WEBHOOKS));
    await keep(await patchEndpoint(apiKey, endpointId, { auth }));
    await keep(await patchEndpoint(apiKey, endpointId, { auth, path: "a//b" }));
    await keep(await rotate(endpointId, { secret: KEY }));
    await keep(await remove(path));
    const { results } = await env.DB.prepare("SELECT * FROM endpoints").all();
    const all = [...answers, JSON.stringify(results)].join();
    for (const secret of [TOKEN, KEY, VALUE]) expect(all).not.toContain(secret);
  });

  it("show no ends if they are short, and never appear in errors", async () => {
    const { auth: shown } = await create({ token: { secret: "s3" } });
    expect(shown.token?.secret).toEqual({ set: true, last4: "" });
    const bad = { token: { secret: "ünsendable-in-a-header" } };
    const response = await postEndpoint(apiKey, { auth: bad });
    const text = await response.clone().text();
    expect(await faultsOf(response)).toEqual(["auth.token.secret"]);
    expect(text).not.toContain("nsendable");
  });
});

describe("omitted secrets", () => {
  it("are generated, and shown once", async () => {
    const made = await create({ token: {}, hmac: { preset: "standard-webhooks" } });
    const { token = "", hmac = "" } = made.secrets ?? {};
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(hmac).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(made.auth.token?.secret.last4).toBe(token.slice(-4));
    expect(await opened(made.endpointId)).toMatchObject({
      token: { current: token },
      hmac: { current: hmac },
    });
    const later = await changedEndpoint(apiKey, made.endpointId, { name: "x" });
    const reads = [await get(`${WEBHOOKS}/${made.endpointId}`), await get(WEBHOOKS)];
    const texts = await Promise.all(reads.map((response) => response.text()));
    const all = JSON.stringify(later) + texts.join();
    for (const hidden of [token, hmac, '"secrets"']) expect(all).not.toContain(hidden);
  });

  it.each([
    ["hex", /^[0-9a-f]{64}$/],
    ["base64", /^[A-Za-z0-9+/]{43}=$/],
    ["utf8", /^[A-Za-z0-9_-]{43}$/],
  ])("are generated as %s if the scheme reads them so", async (secretEncoding, form) => {
    expect((await create({ hmac: { secretEncoding } })).secrets?.hmac).toMatch(form);
  });

  it("are kept when the rest of auth is replaced", async () => {
    const { endpointId } = await create(auth);
    const after = await change(endpointId, {
      token: { header: "X-Key" },
      hmac: { template: "{body}", header: "X-Sig" },
    });
    expect(after).not.toHaveProperty("secrets");
    expect(after.auth).toMatchObject({ token: { header: "X-Key" }, hmac: { header: "X-Sig" } });
    expect(after.auth).not.toHaveProperty("headers");
    expect(await opened(endpointId)).toMatchObject({
      token: { current: TOKEN, previous: null },
      hmac: { current: KEY, previous: null },
    });
  });

  it("are kept in the values of headers, which null removes", async () => {
    const { endpointId } = await create({
      headers: [{ name: "X-Env", value: VALUE }, { name: "X-Source" }],
    });
    const kept = await change(endpointId, { headers: [{ name: "X-Source" }, { name: "x-env" }] });
    expect(kept.auth.headers).toEqual([
      { name: "X-Source" },
      { name: "x-env", value: { set: true, last4: "L0pK" } },
    ]);
    expect((await opened(endpointId)).headerValues).toEqual([null, VALUE]);
    const any = await change(endpointId, { headers: [{ name: "X-Env", value: null }] });
    expect(any.auth.headers).toEqual([{ name: "X-Env" }]);
    expect((await opened(endpointId)).headerValues).toEqual([null]);
  });

  it("are generated again if the old text would be another key, and after a removal", async () => {
    const { endpointId } = await create(auth);
    const other = await change(endpointId, { hmac: { preset: "standard-webhooks" } });
    expect(other.secrets?.hmac).toMatch(/^whsec_/);
    expect(await opened(endpointId)).toMatchObject({ token: null, hmac: { previous: null } });
    const back = await change(endpointId, { token: {} });
    expect(back.secrets?.token).toMatch(/^.{43}$/);
  });
});

it("a replaced secret is no longer valid, but distinguished from an unknown one", async () => {
  const { endpointId } = await create(auth);
  const after = await change(endpointId, { ...auth, token: { secret: "another-token-of-it" } });
  expect((await opened(endpointId)).token).toMatchObject({
    current: "another-token-of-it",
    previous: { value: TOKEN, validUntil: Date.parse(after.updatedAt) },
  });
});

describe("rotating a secret", () => {
  it("generates a new one, and keeps the previous one valid for a given time or a day", async () => {
    const { endpointId } = await create(auth);
    const after = await rotated(endpointId, { overlapSeconds: 3_600 });
    const validUntil = Date.parse(after.updatedAt) + 3_600_000;
    expect(after.auth.hmac?.secret).toEqual({
      set: true,
      last4: after.secrets?.hmac?.slice(-4),
      previousValidUntil: new Date(validUntil).toISOString(),
    });
    expect(after.auth.token?.secret).not.toHaveProperty("previousValidUntil");
    expect(await opened(endpointId)).toMatchObject({
      token: { current: TOKEN, previous: null },
      hmac: { current: after.secrets?.hmac, previous: { value: KEY, validUntil } },
    });
    const second = await rotated(endpointId);
    const aDayLater = Date.parse(second.updatedAt) + 86_400_000;
    expect((await opened(endpointId)).hmac).toEqual({
      current: second.secrets?.hmac,
      previous: { value: after.secrets?.hmac, validUntil: aDayLater },
    });
  });

  it("accepts a given secret, and does not show it", async () => {
    const { endpointId } = await create(auth);
    const given = { target: "token", secret: "a-new-token-of-ours", overlapSeconds: 0 };
    const after = await rotated(endpointId, given);
    expect(after).not.toHaveProperty("secrets");
    expect((await opened(endpointId)).token).toEqual({
      current: "a-new-token-of-ours",
      previous: { value: TOKEN, validUntil: Date.parse(after.updatedAt) },
    });
  });

  it.each([
    [{}, {}, "target"],
    [{ token: {} }, { target: "hmac" }, "target"],
    [{ hmac: {} }, { target: "token" }, "target"],
    [{ token: {} }, { secret: "not\nsendable" }, "secret"],
    [{ hmac: { secretEncoding: "hex" } }, { secret: "no hex" }, "secret"],
  ])("of %j refuses %j", async (given, body, path) => {
    const { endpointId } = await create(given);
    expect(await faultsOf(await rotate(endpointId, body))).toEqual([path]);
  });
});

describe("auth", () => {
  it("shows each range once, by its network", async () => {
    const given = {
      "203.0.113.0/24": ["203.0.113.9/24", "203.0.113.0/24"],
      "198.51.100.7": ["::ffff:198.51.100.7"],
      "198.51.100.0/24": ["::ffff:198.51.100.0/120"],
      "2001:db8::/32": ["2001:0DB8:0:0::1/32"],
      "2001:db8::1": ["2001:db8::1"],
      "10.1.2.3": ["10.1.2.3/32"],
    };
    const { auth: shown } = await create({ ipAllowlist: Object.values(given).flat() });
    expect(shown.ipAllowlist).toEqual(Object.keys(given));
  });

  it("shows a custom scheme in a form that can be sent back", async () => {
    const own = {
      header: "X-Sig",
      form: "pairs",
      encoding: "base64",
      algorithm: "sha512",
      template: "{timestamp}.{body}",
      timestampPair: "t",
      secretEncoding: "utf8",
    };
    const { endpointId, auth: before } = await create({ hmac: own });
    const { secret: _, ...shown } = before.hmac ?? { secret: null };
    expect(shown).toEqual({ ...own, prefix: "v1" });
    expect((await change(endpointId, { hmac: shown })).auth).toEqual(before);
    expect((await create({ hmac: {} })).auth.hmac).not.toHaveProperty("prefix");
  });
});

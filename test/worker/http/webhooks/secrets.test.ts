import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { expectProblem, send } from "../../../support/worker/client.ts";
import { auth, KEY, openSafe, TOKEN, VALUE } from "../../../support/worker/endpoint-secrets.ts";
import {
  changedEndpoint,
  newEndpoint,
  patchEndpoint,
  postEndpoint,
  saved,
  WEBHOOKS,
} from "../../../support/worker/endpoints.ts";

const { account, rotate, opened } = await openSafe();

describe("secrets that are given", () => {
  it("are in no answer and in no row, but for their ends", async () => {
    const answers: string[] = [];
    const keep = async (response: Response) => {
      answers.push(await response.clone().text());
      return response;
    };
    const made = await keep(await postEndpoint(account.apiKey, { auth }));
    const { endpointId, ...record } = await saved(made, 201);
    expect(record).not.toHaveProperty("secrets");
    expect(record.auth).toMatchObject({
      token: { header: "X-Webhook-Token", secret: { set: true, last4: "9qX4" } },
      hmac: { preset: "github", secret: { set: true, last4: "Zw3P" } },
      headers: [{ name: "X-Env", value: { set: true, last4: "L0pK" } }],
    });
    const path = `${WEBHOOKS}/${endpointId}`;
    await keep(await send(path, { token: account.apiKey }));
    await keep(await send(WEBHOOKS, { token: account.apiKey }));
    await keep(await patchEndpoint(account.apiKey, endpointId, { auth }));
    await keep(await patchEndpoint(account.apiKey, endpointId, { auth, path: "a//b" }));
    await keep(await rotate(endpointId, { secret: KEY }));
    await keep(await send(path, { method: "DELETE", token: account.apiKey }));
    const { results } = await env.DB.prepare("SELECT * FROM endpoints").all();
    const all = [...answers, JSON.stringify(results)].join();
    for (const secret of [TOKEN, KEY, VALUE]) expect(all).not.toContain(secret);
  });

  it("show nothing when they are short, and nothing of a fault", async () => {
    const { auth: shown } = await newEndpoint(account.apiKey, {
      auth: { token: { secret: "s3" } },
    });
    expect(shown.token?.secret).toEqual({ set: true, last4: "" });
    const bad = { token: { secret: "ünsendable-in-a-header" } };
    const response = await postEndpoint(account.apiKey, { auth: bad });
    const text = await response.clone().text();
    await expectProblem(response, 400, "invalid_request");
    expect(text).not.toContain("nsendable");
  });

  it("are what the checks get to see", async () => {
    const { endpointId } = await newEndpoint(account.apiKey, { auth });
    expect(await opened(endpointId)).toMatchObject({
      token: { current: TOKEN, previous: null },
      hmac: { current: KEY, previous: null },
      headerValues: [VALUE],
    });
  });
});

describe("secrets that are left out", () => {
  it("are made, and shown this once", async () => {
    const made = await newEndpoint(account.apiKey, {
      auth: { token: {}, hmac: { preset: "standard-webhooks" } },
    });
    const { token = "", hmac = "" } = made.secrets ?? {};
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(hmac).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(made.auth.token?.secret.last4).toBe(token.slice(-4));
    expect(await opened(made.endpointId)).toMatchObject({
      token: { current: token },
      hmac: { current: hmac },
    });
    const later = await changedEndpoint(account.apiKey, made.endpointId, { name: "x" });
    const all = JSON.stringify([
      later,
      await (await send(`${WEBHOOKS}/${made.endpointId}`, { token: account.apiKey })).json(),
      await (await send(WEBHOOKS, { token: account.apiKey })).json(),
    ]);
    expect(all).not.toContain(token);
    expect(all).not.toContain(hmac);
    expect(all).not.toContain('"secrets"');
  });

  it.each([
    ["hex", /^[0-9a-f]{64}$/],
    ["base64", /^[A-Za-z0-9+/]{43}=$/],
    ["utf8", /^[A-Za-z0-9_-]{43}$/],
  ])("are made as %s where the scheme reads them so", async (secretEncoding, form) => {
    const { secrets } = await newEndpoint(account.apiKey, { auth: { hmac: { secretEncoding } } });
    expect(secrets?.hmac).toMatch(form);
  });

  it("stay as they are when the rest of auth is replaced", async () => {
    const { endpointId } = await newEndpoint(account.apiKey, { auth });
    const after = await changedEndpoint(account.apiKey, endpointId, {
      auth: { token: { header: "X-Key" }, hmac: { template: "{body}", header: "X-Sig" } },
    });
    expect(after).not.toHaveProperty("secrets");
    expect(after.auth).toMatchObject({ token: { header: "X-Key" }, hmac: { header: "X-Sig" } });
    expect(after.auth).not.toHaveProperty("headers");
    expect(await opened(endpointId)).toMatchObject({
      token: { current: TOKEN, previous: null },
      hmac: { current: KEY, previous: null },
    });
  });

  it("stay as they are in the values of headers, which null takes away", async () => {
    const { endpointId } = await newEndpoint(account.apiKey, {
      auth: { headers: [{ name: "X-Env", value: VALUE }, { name: "X-Source" }] },
    });
    const kept = await changedEndpoint(account.apiKey, endpointId, {
      auth: { headers: [{ name: "X-Source" }, { name: "x-env" }] },
    });
    expect(kept.auth.headers).toEqual([
      { name: "X-Source" },
      { name: "x-env", value: { set: true, last4: "L0pK" } },
    ]);
    expect((await opened(endpointId)).headerValues).toEqual([null, VALUE]);
    const any = await changedEndpoint(account.apiKey, endpointId, {
      auth: { headers: [{ name: "X-Env", value: null }] },
    });
    expect(any.auth.headers).toEqual([{ name: "X-Env" }]);
    expect((await opened(endpointId)).headerValues).toEqual([null]);
  });

  it("are made anew where the old text would be another key", async () => {
    const { endpointId } = await newEndpoint(account.apiKey, { auth });
    const after = await changedEndpoint(account.apiKey, endpointId, {
      auth: { hmac: { preset: "standard-webhooks" } },
    });
    expect(after.secrets?.hmac).toMatch(/^whsec_/);
    expect((await opened(endpointId)).hmac?.previous).toBeNull();
  });

  it("come back as new ones after they were taken away", async () => {
    const { endpointId } = await newEndpoint(account.apiKey, { auth });
    await changedEndpoint(account.apiKey, endpointId, { auth: { token: null } });
    expect(await opened(endpointId)).toMatchObject({ token: null, hmac: null });
    const after = await changedEndpoint(account.apiKey, endpointId, { auth: { token: {} } });
    expect(after.secrets?.token).toMatch(/^.{43}$/);
  });
});

describe("a secret that is replaced by a change", () => {
  it("is not valid any more, but can still be told from an unknown one", async () => {
    const { endpointId } = await newEndpoint(account.apiKey, { auth });
    const after = await changedEndpoint(account.apiKey, endpointId, {
      auth: { ...auth, token: { secret: "another-token-of-the-shop" } },
    });
    const { token } = await opened(endpointId);
    expect(token).toMatchObject({
      current: "another-token-of-the-shop",
      previous: { value: TOKEN, validUntil: Date.parse(after.updatedAt) },
    });
  });
});

describe("auth", () => {
  it.each([
    [{ token: { header: "X Token" } }, "auth.token.header"],
    [{ token: { header: "CF-Connecting-IP" } }, "auth.token.header"],
    [{ token: { secret: "" } }, "auth.token.secret"],
    [{ hmac: { preset: "nobody" } }, "auth.hmac.preset"],
    [{ hmac: { preset: "github", header: "X-Sig" } }, "auth.hmac.header"],
    [{ hmac: { template: "{timestamp}" } }, "auth.hmac.template"],
    [{ hmac: { nobody: 1 } }, "auth.hmac.nobody"],
    [{ hmac: { secretEncoding: "hex", secret: "xyz" } }, "auth.hmac.secret"],
    [{ hmac: { preset: "standard-webhooks", secret: "whsec_***" } }, "auth.hmac.secret"],
    [{ ipAllowlist: [] }, "auth.ipAllowlist"],
    [{ ipAllowlist: ["203.0.113.7", "203.0.113.0/33"] }, "auth.ipAllowlist[1]"],
    [{ ipAllowlist: ["010.0.0.1"] }, "auth.ipAllowlist[0]"],
    [{ ipAllowlist: ["example.com"] }, "auth.ipAllowlist[0]"],
    [{ ipAllowlist: ["fe80::1%eth0"] }, "auth.ipAllowlist[0]"],
    [{ ipAllowlist: ["2001:db8::/129"] }, "auth.ipAllowlist[0]"],
    [{ headers: [{ name: "X-A" }, { name: "x-a" }] }, "auth.headers[1].name"],
    [{ headers: [{ name: "X-A", value: "a\r\nX-B: c" }] }, "auth.headers[0].value"],
    [{ headers: [{ name: "Host", value: "a" }] }, "auth.headers[0].name"],
    [{ headers: [{ name: "a:b" }] }, "auth.headers[0].name"],
    [{ password: "x" }, "auth.password"],
  ])("refuses %j", async (auth, path) => {
    const response = await postEndpoint(account.apiKey, { auth });
    const problem = await expectProblem(response, 400, "invalid_request");
    expect(problem.errors?.[0]?.path).toBe(path);
  });

  it("shows each range once, by its network", async () => {
    const { auth } = await newEndpoint(account.apiKey, {
      auth: {
        ipAllowlist: [
          "203.0.113.9/24",
          "203.0.113.0/24",
          "::ffff:198.51.100.7",
          "::ffff:198.51.100.0/120",
          "2001:0DB8:0:0::1/32",
          "2001:db8::1",
          "10.1.2.3/32",
        ],
      },
    });
    expect(auth.ipAllowlist).toEqual([
      "203.0.113.0/24",
      "198.51.100.7",
      "198.51.100.0/24",
      "2001:db8::/32",
      "2001:db8::1",
      "10.1.2.3",
    ]);
  });

  it("shows a scheme of one's own so that it can be given back", async () => {
    const own = {
      header: "X-Sig",
      form: "pairs",
      encoding: "base64",
      algorithm: "sha512",
      template: "{timestamp}.{body}",
      timestampPair: "t",
      secretEncoding: "utf8",
    };
    const { endpointId, auth } = await newEndpoint(account.apiKey, { auth: { hmac: own } });
    const { secret: _, ...shown } = auth.hmac ?? { secret: null };
    expect(shown).toEqual({ ...own, prefix: "v1" });
    const after = await changedEndpoint(account.apiKey, endpointId, { auth: { hmac: shown } });
    expect(after.auth).toEqual(auth);
    const plain = await newEndpoint(account.apiKey, { auth: { hmac: {} } });
    expect(plain.auth.hmac).not.toHaveProperty("prefix");
  });
});

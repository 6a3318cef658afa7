import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { EndpointConfig } from "../../../../src/contract/webhooks/endpoint.ts";
import { auth, freshness, signature } from "../../../../src/intake/checks/authentication.ts";
import { gzipBody } from "../../../../src/intake/payload/body.ts";
import { presetOf } from "../../../../src/intake/signatures/presets.ts";
import { signHeaders } from "../../../../src/intake/signatures/verify.ts";
import type { Endpoint, OpenSecret } from "../../../../src/intake/types.ts";
import { bomb } from "../../../support/bombs.ts";
import { authWith, endpointWith, KEPT, NOW, requestWith } from "../../../support/hook-request.ts";
import { rulesOf, verdictOf } from "./support.ts";

it.each([
  [auth, "The endpoint requires no token and no headers."],
  [signature, "The endpoint requires no signature."],
])("nothing is required without a setting: $stage", async (check, note) => {
  const verdict = await verdictOf(check, endpointWith(), requestWith());
  expect(verdict).toEqual({ kind: "skipped", note });
});

describe("the token and the headers", () => {
  const SECRET = "a-token-of-tests";
  const WRONG = "unauthorized: token";

  function withToken(header: string | null = null, previous: OpenSecret["previous"] = null) {
    return endpointWith(
      { auth: authWith({ token: { header, secret: KEPT } }) },
      { token: { current: SECRET, previous } },
    );
  }

  const judged = (at: Endpoint, headers: Record<string, string>) =>
    rulesOf(auth, at, requestWith({ headers }));

  describe("a token", () => {
    it.each([
      [null, { "X-Webhook-Token": SECRET }],
      [null, { Authorization: `Bearer ${SECRET}` }],
      [null, { authorization: `bearer  ${SECRET}` }],
      [null, { "X-Webhook-Token": "another", Authorization: `Bearer ${SECRET}` }],
      ["X-Shop-Key", { "X-SHOP-KEY": SECRET }],
      ["X-Shop-Key", { Authorization: `Bearer ${SECRET}` }],
      ["Authorization", { Authorization: SECRET }],
      ["Authorization", { Authorization: `BEARER ${SECRET}` }],
    ])("expected in %s is taken from %j", async (header, headers) => {
      expect(await judged(withToken(header), { ...headers })).toBe("passed");
    });

    it.each([
      [null, {}],
      [null, { "X-Webhook-Token": "" }],
      [null, { "X-Webhook-Token": "a-token-of-test" }],
      [null, { "X-Webhook-Token": `${SECRET}s` }],
      [null, { "X-Webhook-Token": SECRET.toUpperCase() }],
      [null, { "X-Webhook-Token": `${SECRET}, ${SECRET}` }],
      [null, { "X-Webhook-Token": `"${SECRET}"` }],
      [null, { X_Webhook_Token: SECRET }],
      [null, { Authorization: SECRET }],
      [null, { Authorization: `NotBearer ${SECRET}` }],
      [null, { Authorization: `Basic ${btoa(`:${SECRET}`)}` }],
      [null, { Authorization: "Bearer" }],
      [null, { Authorization: `Bearer${SECRET}` }],
      ["X-Shop-Key", { "X-Webhook-Token": SECRET }],
      ["X-Shop-Key", { "X-Shop-Key2": SECRET, Cookie: `X-Shop-Key=${SECRET}` }],
      ["__proto__", { "X-Webhook-Token": SECRET }],
    ])("expected in %s is not found in %j", async (header, headers) => {
      expect(await judged(withToken(header), { ...headers })).toBe(WRONG);
    });

    it("is not looked for in the address or the body", async () => {
      const url = `https://prompthook.example/hooks/a?X-Webhook-Token=${SECRET}&token=${SECRET}`;
      const body = JSON.stringify({ token: SECRET, "X-Webhook-Token": SECRET });
      expect(await rulesOf(auth, withToken(), requestWith({ url, body }))).toBe(WRONG);
    });

    it("may be the previous one until it expires", async () => {
      const old = { "X-Webhook-Token": "the-old-token" };
      const until = (validUntil: number) => withToken(null, { value: "the-old-token", validUntil });
      expect(await judged(until(NOW + 1), old)).toBe("passed");
      expect(await judged(until(NOW), old)).toBe(WRONG);
      expect(await judged(until(NOW + 1), { "X-Webhook-Token": SECRET })).toBe("passed");
    });

    it("that cannot be decrypted admits nobody", async () => {
      const at = { ...withToken(), token: null };
      expect(await judged(at, { "X-Webhook-Token": SECRET })).toBe(WRONG);
    });

    it("is reported as missing or wrong, with a WWW-Authenticate header and without its value", async () => {
      for (const [headers, message] of [
        [{}, "The token is missing."],
        [{ "X-Webhook-Token": "guess-of-mine" }, "The token is wrong."],
      ] as const) {
        const verdict = await verdictOf(auth, withToken(), requestWith({ headers }));
        expect(verdict).toMatchObject({
          errors: [{ path: "X-Webhook-Token", message }],
          headers: { "WWW-Authenticate": 'Bearer realm="webhook"' },
        });
        expect(JSON.stringify(verdict)).not.toMatch(/a-token-of-tests|guess-of-mine/);
      }
    });
  });

  describe("custom headers", () => {
    const at = endpointWith(
      {
        auth: authWith({
          headers: [
            { name: "X-Env", value: { sealed: "v1.sealed", last4: "" } },
            { name: "X-Source", value: null },
          ],
        }),
      },
      { headerValues: ["prod", null] },
    );

    it.each([
      [{ "X-Env": "prod", "X-Source": "shop" }, "passed"],
      [{ "x-env": "prod", "x-source": "" }, "passed"],
      [{ "X-Env": "prod" }, "unauthorized: header"],
      [{ "X-Source": "shop" }, "unauthorized: header"],
      [{ "X-Env": "Prod", "X-Source": "shop" }, "unauthorized: header"],
      [{ "X-Env": "prod, prod", "X-Source": "shop" }, "unauthorized: header"],
      [{}, "unauthorized: header, header"],
    ])("with %j: %s", async (headers, verdict) => {
      expect(await judged(at, { ...headers })).toBe(verdict);
    });

    it("report which is missing and which is wrong", async () => {
      const verdict = await verdictOf(auth, at, requestWith({ headers: { "X-Env": "test" } }));
      expect(verdict).toMatchObject({
        errors: [
          { path: "X-Env", rule: "header", message: "The header has the wrong value." },
          { path: "X-Source", rule: "header", message: "The header is missing." },
        ],
      });
    });

    it("whose value cannot be decrypted admit nobody", async () => {
      const headers = { "X-Env": "prod", "X-Source": "shop" };
      expect(await judged({ ...at, headerValues: [] }, headers)).toBe("unauthorized: header");
    });

    it("are required beside the token, and all missing ones are reported", async () => {
      const both = endpointWith(
        { auth: { ...at.config.auth, token: { header: null, secret: KEPT } } },
        { headerValues: at.headerValues, token: { current: SECRET, previous: null } },
      );
      expect(await judged(both, { "X-Env": "prod" })).toBe("unauthorized: header, token");
      const headers = { "X-Env": "prod", "X-Source": "", "X-Webhook-Token": SECRET };
      expect(await judged(both, headers)).toBe("passed");
    });
  });

  it("answers a hub's handshake only with the token and the endpoint's own headers", async () => {
    const challenged = (at: Endpoint, token: string) => {
      const query = `hub.mode=subscribe&hub.challenge=12345&hub.verify_token=${token}`;
      const url = `https://prompthook.example/hooks/a?${query}`;
      return verdictOf(auth, at, requestWith({ method: "GET", url, body: "" }));
    };
    const answer = { status: 200, body: "12345" };
    expect(await challenged(withToken(), SECRET)).toMatchObject({ kind: "answered", answer });
    expect(await challenged(withToken(), "guess")).toMatchObject({
      kind: "refused",
      errors: [{ rule: "token" }, { path: "hub.challenge", rule: "handshake" }],
    });
    const headers = [{ name: "X-Source", value: null }];
    const strict = endpointWith({ auth: authWith({ headers }) }, { headerValues: [null] });
    expect(await challenged(strict, SECRET)).toMatchObject({ kind: "refused" });
  });
});

describe("a signature", () => {
  const SECRET = "a-secret-of-tests";
  const github = presetOf("github").scheme;
  const slack = presetOf("slack").scheme;
  const url = new URL("https://prompthook.example/hooks/orders");

  type Scheme = typeof github;

  const endpointOf = (scheme: Scheme, previous: OpenSecret["previous"] = null) =>
    endpointWith(
      { auth: authWith({ hmac: { preset: null, scheme, secret: KEPT } }) },
      { hmac: { current: SECRET, previous } },
    );

  const signed = (scheme: Scheme, secret: string, text: string) => {
    const body = new TextEncoder().encode(text);
    return signHeaders(scheme, secret, { url, body, contentType: null, now: NOW, id: "d-1" });
  };

  it("passes the signed time to later checks", async () => {
    const request = requestWith({ headers: await signed(slack, SECRET, "{}") });
    expect(await verdictOf(signature, endpointOf(slack), request)).toEqual({
      kind: "passed",
      found: { signedAt: NOW },
    });
  });

  it("by the previous secret passes until it expires, with a note", async () => {
    const request = requestWith({ headers: await signed(github, "the-old-secret", "{}") });
    const until = (validUntil: number) =>
      verdictOf(signature, endpointOf(github, { value: "the-old-secret", validUntil }), request);
    expect(await until(NOW + 1)).toEqual({
      kind: "passed",
      found: { signedAt: null },
      note: "Signed with the previous secret.",
    });
    expect(await until(NOW)).toMatchObject({ kind: "refused" });
  });

  it("that is refused names its header", async () => {
    const headers = { "X-Hub-Signature-256": `sha256=${"0".repeat(64)}` };
    const verdict = await verdictOf(signature, endpointOf(github), requestWith({ headers }));
    const [path, rule] = ["X-Hub-Signature-256", "signature_mismatch"];
    const message = "The signature does not match.";
    const errors = [{ path, rule, message }];
    expect(verdict).toMatchObject({ kind: "refused", code: "unauthorized", errors });
  });

  it("over a body that inflates beyond the limit is refused for its size", async () => {
    const headers = { "X-Hub-Signature-256": `sha256=${"0".repeat(64)}` };
    const request = requestWith({ headers, body: gzipBody(bomb(1), 1_000) });
    const verdict = await verdictOf(signature, endpointOf(github), request);
    expect(verdict).toMatchObject({
      stage: "size",
      code: "payload_too_large",
      errors: [{ rule: "max_bytes", message: "The body exceeds 1000 bytes." }],
    });
  });

  it("is not checked with a secret that cannot be decrypted", async () => {
    const at = { ...endpointOf(github), hmac: null };
    await expect(verdictOf(signature, at, requestWith())).rejects.toThrow("not opened");
  });
});

it("the diagnosis of a preset's signature names the setting to change", async () => {
  const { scheme } = presetOf("github");
  const diagnosed = async (preset: "github" | null, digest: string) => {
    const endpoint = endpointWith(
      { auth: authWith({ hmac: { preset, scheme, secret: KEPT } }) },
      { hmac: { current: "a-secret-of-tests", previous: null } },
    );
    const request = requestWith({ headers: { "X-Hub-Signature-256": `sha256=${digest}` } });
    const verdict = await verdictOf(signature, endpoint, request);
    return verdict.kind === "refused" ? verdict.diagnosis?.join(" ") : verdict.kind;
  };
  const mac = (key: string) => createHmac("sha256", key).update("{}");
  const base64 = mac("a-secret-of-tests").digest("base64");
  expect(await diagnosed("github", base64)).toContain("The preset github fixes these settings");
  expect(await diagnosed(null, base64)).not.toContain("fixes these settings");
  const other = mac("other").digest("hex");
  expect(await diagnosed("github", other)).not.toContain("fixes these settings");
});

describe("the freshness", () => {
  const STALE = "stale_request: freshness";

  const at = (changes: Partial<EndpointConfig["replayProtection"]> = {}) =>
    endpointWith({
      replayProtection: { enabled: true, toleranceSeconds: 300, timestamp: null, ...changes },
    });

  const inBody = at({ timestamp: { in: "body", path: "meta.sent_at" } });
  const inHeader = at({ timestamp: { in: "header", path: "X-Sent-At" } });
  const judged = (found: Parameters<typeof rulesOf>[3], endpoint = at(), headers = {}) =>
    rulesOf(freshness, endpoint, requestWith({ headers }), found);

  it.each([
    [0, "passed"],
    [-300_000, "passed"],
    [300_000, "passed"],
    [-300_001, STALE],
    [300_001, STALE],
  ])("judges a time that is off by %i ms: %s", async (off, verdict) => {
    const sentAt = NOW + off;
    const iso = new Date(sentAt).toISOString();
    expect(await judged({ payload: { timestamp: iso } })).toBe(verdict);
    expect(await judged({ signedAt: sentAt })).toBe(verdict);
    expect(await judged({ payload: { meta: { sent_at: sentAt } } }, inBody)).toBe(verdict);
    expect(await judged({}, inHeader, { "X-Sent-At": iso })).toBe(verdict);
  });

  it("tolerates the endpoint's window, or any time", async () => {
    const found = { signedAt: NOW - 10_000 };
    expect(await judged(found, at({ toleranceSeconds: 10 }))).toBe("passed");
    expect(await judged(found, at({ toleranceSeconds: 9 }))).toBe(STALE);
    const off = await verdictOf(freshness, at({ enabled: false }), requestWith(), found);
    expect(off).toEqual({ kind: "skipped", note: "Replay protection is off." });
  });

  it("prefers a configured place to the signed time, and that to the body", async () => {
    expect(await judged({ signedAt: NOW, payload: { timestamp: 0 } })).toBe("passed");
    expect(await judged({ signedAt: 0, payload: { timestamp: NOW } })).toBe(STALE);
    const found = { signedAt: NOW, payload: { timestamp: NOW } };
    for (const endpoint of [inBody, inHeader]) expect(await judged(found, endpoint)).toBe(STALE);
  });

  it.each([
    [{ timestamp: null }],
    [{ nested: { timestamp: 0 } }],
    [[{ timestamp: 0 }]],
    ["text"],
    [Object.create({ timestamp: 0 })],
  ])("accepts a body without a time: %j", async (payload) => {
    const note = "The request has no timestamp.";
    const verdict = await verdictOf(freshness, at(), requestWith(), { payload });
    expect(verdict).toEqual({ kind: "skipped", note });
  });

  it("warns of an unreadable timestamp in the body without refusing it", async () => {
    const found = { payload: { timestamp: "soon" } };
    expect(await verdictOf(freshness, at(), requestWith(), found)).toMatchObject({
      kind: "passed",
      found: { warnings: [expect.stringMatching(/^the timestamp in the body is not/)] },
    });
  });

  it.each(["", "soon", "2026-11-18"])("refuses %j at a configured place", async (text) => {
    const request = requestWith({ headers: { "X-Sent-At": text } });
    const message = "The timestamp is not ISO 8601, epoch seconds or milliseconds.";
    expect(await verdictOf(freshness, inHeader, request)).toMatchObject({
      code: "stale_request",
      errors: [{ path: "X-Sent-At", rule: "freshness", message }],
    });
    expect(await judged({ payload: { meta: { sent_at: text } } }, inBody)).toBe(STALE);
  });

  it.each(["constructor.name", "meta.__proto__", "["])(
    "ignores inherited values at %s",
    async (path) => {
      const found = { payload: { meta: { sent_at: NOW } } };
      const endpoint = at({ timestamp: { in: "body", path } });
      const errors = [{ path, message: "The timestamp is missing." }];
      const verdict = await verdictOf(freshness, endpoint, requestWith(), found);
      expect(verdict).toMatchObject({ errors });
    },
  );

  it("is skipped for a body that was not parsed", async () => {
    expect(await judged({}, inBody)).toBe("skipped");
  });

  it.each([
    ["old", { signedAt: NOW - 300_001 }, undefined],
    ["ahead of the service's clock", { payload: { timestamp: NOW + 300_001 } }, "timestamp"],
  ])(
    "reports how far it is %s and where that was read, without a WWW-Authenticate header",
    async (...row) => {
      const [off, found, path] = row;
      const message = `The request is 301 s ${off}; the limit is 300 s.`;
      const errors = [{ ...(path && { path }), rule: "freshness", message }];
      const refused = { kind: "refused", code: "stale_request", errors };
      expect(await verdictOf(freshness, at(), requestWith(), found)).toEqual(refused);
    },
  );

  it("names the settings that accept retries if the time in the body may be the event's", async () => {
    const found = { payload: { timestamp: NOW - 3_600_000 } };
    const named = at({ timestamp: { in: "body", path: "timestamp" } });
    const settings = /^The age was read from timestamp in the body\..*replayProtection\.timestamp/;
    expect(await verdictOf(freshness, at(), requestWith(), found)).toMatchObject({
      diagnosis: [expect.stringMatching(settings)],
    });
    expect(await verdictOf(freshness, named, requestWith(), found)).not.toHaveProperty("diagnosis");
  });

  it("by a preset is checked in the endpoint's window, unless it is the default", async () => {
    const { scheme } = presetOf("mailgun");
    const auth = authWith({ hmac: { preset: "mailgun", scheme, secret: KEPT } });
    const within = (toleranceSeconds: number) => {
      const replayProtection = { enabled: true, toleranceSeconds, timestamp: null };
      const found = { signedAt: NOW - 3_600_000 };
      return rulesOf(freshness, endpointWith({ auth, replayProtection }), requestWith(), found);
    };
    expect(await within(300)).toBe("passed");
    expect(await within(600)).toBe(STALE);
  });
});

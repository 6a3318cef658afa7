import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { gzipBody, plainBody } from "../../../src/intake/payload/body.ts";
import { redacted as redactedWith, redactorOf } from "../../../src/intake/redact.ts";
import { presetOf } from "../../../src/intake/signatures/presets.ts";
import type { Endpoint, InboundRequest } from "../../../src/intake/types.ts";
import { authWith, endpointWith, KEPT, requestWith } from "../../support/hook-request.ts";

const TOKEN = "token+of/tests=1";
const OLD_TOKEN = "the-token-before";
const HMAC = 'hmac "quoted" secret';
const VALUE = "a-long-header-value";

const endpoint = endpointWith(
  {
    auth: authWith({
      token: { header: "X-Shop-Pass", secret: KEPT },
      hmac: {
        preset: null,
        scheme: { ...presetOf("github").scheme, header: "X-Shop-Proof" },
        secret: KEPT,
      },
      headers: [
        { name: "X-Env", value: { sealed: "v1.sealed", last4: "" } },
        { name: "X-Long", value: { sealed: "v1.sealed", last4: "" } },
        { name: "X-Source", value: null },
      ],
    }),
  },
  {
    token: { current: TOKEN, previous: { value: OLD_TOKEN, validUntil: 0 } },
    hmac: { current: HMAC, previous: null },
    headerValues: ["prod", VALUE, null],
  },
);

const redacted = (at: Endpoint, request: InboundRequest) => redactedWith(redactorOf(at), request);

const headersOf = (headers: Record<string, string>) =>
  redacted(endpoint, requestWith({ headers })).headers;

const textOf = (body: string) => {
  const bytes = redacted(endpoint, requestWith({ body })).body;
  return bytes === null ? null : new TextDecoder().decode(bytes);
};

it.each([
  ...["Authorization", "Proxy-Authorization", "Cookie", "X-Csrf-Token", "Client-Secret"],
  ...["X-Hub-Signature-256", "X-Shopify-Hmac-Sha256", "X-Api-Key", "ApiKey"],
  // Those that the settings name.
  ...["X-SHOP-PASS", "x-shop-proof", "X-Env"],
])("by its name, the log hides the header %s", (name) => {
  expect(headersOf({ [name]: "some value" })[name.toLowerCase()]).toBe("[redacted]");
});

it.each(["Content-Type", "X-GitHub-Event", "X-Source", "Cookies"])(
  "the log shows the header %s",
  (name) => {
    expect(headersOf({ [name]: "text/plain" })[name.toLowerCase()]).toBe("text/plain");
  },
);

describe("by its value, the log hides a secret", () => {
  it.each([TOKEN, OLD_TOKEN, VALUE])("%s in another header", (secret) => {
    expect(headersOf({ "X-Debug": `sent ${secret}!` })["x-debug"]).toBe("sent [redacted]!");
  });

  it("in a JSON body, unless it is short", () => {
    const hidden = [TOKEN, OLD_TOKEN, HMAC, VALUE];
    const shown = [...hidden.map(() => "[redacted]"), "prod"];
    expect(textOf(JSON.stringify([...hidden, "prod"]))).toBe(JSON.stringify(shown));
  });

  it("in the values of a JSON body, never in its names", () => {
    const escaped = JSON.stringify({ [TOKEN]: { [HMAC]: `${HMAC}!` }, list: [TOKEN] });
    expect(textOf(escaped)).toBe(
      JSON.stringify({ [TOKEN]: { [HMAC]: "[redacted]!" }, list: ["[redacted]"] }),
    );
  });

  it.each(["production", "12345678", "a1b2c3"])("but not the weak secret %s", (secret) => {
    const at = endpointWith({}, { token: { current: secret, previous: null } });
    const body = JSON.stringify({ kind: secret });
    const logged = redacted(at, requestWith({ body })).body;
    expect(new TextDecoder().decode(logged ?? new Uint8Array())).toBe(body);
  });

  it("in a form, in plain text, and several times", () => {
    expect(textOf(new URLSearchParams({ a: HMAC, b: TOKEN }).toString())).toBe(
      "a=[redacted]&b=[redacted]",
    );
    expect(textOf(`${HMAC}, ${HMAC} and ${TOKEN}`)).toBe("[redacted], [redacted] and [redacted]");
  });

  it("in the path and the query", () => {
    const value = encodeURIComponent(TOKEN);
    const url = `https://prompthook.example/hooks/${value}?a=${value}&b=1&b=${value}`;
    expect(redacted(endpoint, requestWith({ url }))).toMatchObject({
      path: "/hooks/[redacted]",
      query: { a: "[redacted]", b: ["1", "[redacted]"] },
    });
  });

  it("with and without its prefix", () => {
    const at = endpointWith({}, { hmac: { current: "whsec_c2VjcmV0LW9m", previous: null } });
    const { headers } = redacted(at, requestWith({ headers: { "X-Debug": "c2VjcmV0LW9m" } }));
    expect(headers["x-debug"]).toBe("[redacted]");
  });

  it("in the beginning of a body that was not read completely", () => {
    const beginning = new TextEncoder().encode(`{"a":"${OLD_TOKEN}`);
    const body = { kind: "too_large", limit: 4, beginning } as const;
    const { body: shown, bodyTruncated } = redacted(endpoint, requestWith({ body }));
    expect(new TextDecoder().decode(shown ?? new Uint8Array())).toBe('{"a":"[redacted]');
    expect(bodyTruncated).toBe(true);
  });
});

it("hides the token of a hub's handshake and shows the rest", () => {
  const url = "https://prompthook.example/hooks/a?hub.mode=subscribe&hub.verify_token=guess";
  expect(redacted(endpoint, requestWith({ url })).query).toEqual({
    "hub.mode": "subscribe",
    "hub.verify_token": "[redacted]",
  });
});

it("keeps a body without a secret byte for byte, even a binary one", () => {
  const bytes = Uint8Array.of(0xef, 0xbb, 0xbf, 0xff, 0x00, 0x80);
  expect(redacted(endpoint, requestWith({ body: plainBody(bytes) })).body).toEqual(bytes);
});

it("keeps the inflated body, if there is one", async () => {
  const body = gzipBody(gzipSync("order"), 100);
  body.content();
  expect(redacted(endpoint, requestWith({ body }))).toMatchObject({
    body: new TextEncoder().encode("order"),
    bodyTruncated: false,
  });
  expect(textOf("")).toBeNull();
});

it("omits a compressed body, in which no secret can be found", () => {
  const body = gzipBody(gzipSync("order"), 100);
  const logged = redacted(endpoint, requestWith({ body }));
  expect(logged).toMatchObject({ body: null, bodyTruncated: true });
  expect(body.decoded).toBeNull();
});

it("is bounded", () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`x-${at}`, "v"]));
  expect(Object.keys(headersOf(many)).length).toBe(100);
  expect(headersOf({ "X-Long-Tale": "v".repeat(50_000) })["x-long-tale"]?.length).toBe(4_097);
  expect(redacted(endpoint, requestWith({ method: "M".repeat(999) })).method.length).toBe(20);
});

it("treats prototype names as plain names", () => {
  const url = "https://prompthook.example/hooks/a?__proto__=x&constructor=y";
  const { query, headers } = redacted(
    endpoint,
    requestWith({ url, headers: { constructor: "z" } }),
  );
  expect(Object.entries(query)).toEqual([
    ["__proto__", "x"],
    ["constructor", "y"],
  ]);
  expect(headers.constructor).toBe("z");
});

describe("a token outside the headers is hidden, weak or not:", () => {
  const redactedBy = (token: object, request: Parameters<typeof requestWith>[0]) => {
    const auth = authWith({ token: { header: null, secret: KEPT, ...token } });
    const one = endpointWith({ auth }, { token: { current: "abc", previous: null } });
    return redacted(one, requestWith(request));
  };

  it("in the body", () => {
    const body = '{"passcode":"abc","name":"abcdef","abc":"x"}';
    const { body: shown } = redactedBy({ in: "body", name: "passcode" }, { body });
    expect(new TextDecoder().decode(shown ?? undefined)).toBe(
      '{"passcode":"[redacted]","name":"abcdef","abc":"x"}',
    );
  });

  it("in the query", () => {
    const url = "https://hooks.example/hooks/ep_1?key=other&a=abc&b=abcdef";
    expect(redactedBy({ in: "query", name: "key" }, { url }).query).toEqual({
      key: "[redacted]",
      a: "[redacted]",
      b: "abcdef",
    });
  });
});

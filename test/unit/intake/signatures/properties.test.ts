import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  customScheme,
  PRESETS,
  type SignatureScheme,
} from "../../../../src/contract/webhooks/signature.ts";
import { customSchemeOf } from "../../../../src/intake/signatures/custom-scheme.ts";
import { presetOf } from "../../../../src/intake/signatures/presets.ts";
import {
  signedUrl,
  signHeaders,
  verifySignature,
} from "../../../../src/intake/signatures/verify.ts";
import { inboundRequest, RECEIVED_AT } from "../../../support/signed-request.ts";

const presets = PRESETS.map((name) => presetOf(name).scheme).filter(
  // Plivo signs forms only.
  ({ in: place, form, template }) =>
    place !== "body" && form !== "jwt" && !template.includes("{sortedUrl}"),
);
const custom = [
  {},
  { encoding: "base64", algorithm: "sha512", prefix: "" },
  { algorithm: "sha1", prefix: "sha1=" },
  { template: "{timestamp}\n{id}\n{url}\n{body}", timestampHeader: "X-Time", idHeader: "X-Id" },
  { form: "pairs", prefix: "s", timestampPair: "ts", template: "{timestamp}|{body}" },
  { form: "list", algorithm: "sha384", encoding: "base64" },
  { form: "items", template: "{timestamp}.{body}", secretEncoding: "sha1" },
  {
    template: "{method} {path}\n{headers}\n{body}",
    timestampHeader: "X-Time",
    signedHeaders: { header: "X-Signed-Headers" },
  },
].map((body) => customSchemeOf(customScheme.parse(body)));
const schemes: SignatureScheme[] = [...presets, ...custom];

const scheme = fc.constantFrom(...schemes);
const secret = fc.oneof(
  fc.string({ unit: "binary", minLength: 8, maxLength: 60 }),
  fc
    .uint8Array({ minLength: 8, maxLength: 40 })
    .map((bytes) => `whsec_${Buffer.from(bytes).toString("base64")}`),
);
const body = fc.uint8Array({ maxLength: 300 });
const time = fc.integer({ min: 1_000_000_000, max: 4_000_000_000 }).map((second) => second * 1_000);
const id = fc.stringMatching(/^[\w-]{1,30}$/);

/** A request as a sender of this scheme makes it. */
async function signed(
  one: SignatureScheme,
  text: string,
  bytes: Uint8Array,
  now: number,
  of: string,
) {
  const contentType = "application/octet-stream";
  const sent = { url: new URL("https://hooks.example/hooks/a?x=1"), body: bytes, contentType };
  const url = await signedUrl(one, sent);
  const headers = await signHeaders(one, text, { ...sent, url, now, id: of });
  return { url, headers: { ...headers, "content-type": contentType }, body: bytes };
}

const verify = (
  one: SignatureScheme,
  text: string,
  request: Parameters<typeof inboundRequest>[0],
) => verifySignature(one, { current: text, previous: null }, inboundRequest(request), RECEIVED_AT);

describe("any scheme", () => {
  it("verifies its own signatures, and returns the signed time", async () => {
    await fc.assert(
      fc.asyncProperty(scheme, secret, body, time, id, async (one, text, bytes, now, of) => {
        const request = await signed(one, text, bytes, now, of);
        const timed = one.template.includes("{timestamp}") || one.signedHeaders !== undefined;
        expect(await verify(one, text, request)).toEqual({
          ok: true,
          signedAt: timed ? now : null,
          usedPrevious: false,
        });
      }),
      { numRuns: 150 },
    );
  });

  it("refuses any flipped bit in the body, the secret, the time, the id and the signature", async () => {
    await fc.assert(
      fc.asyncProperty(
        scheme,
        secret,
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        time,
        id,
        fc.nat(),
        async (one, text, bytes, now, of, at) => {
          const request = await signed(one, text, bytes, now, of);
          expect(await verify(one, text, { ...request, body: flipped(bytes, at) })).toMatchObject({
            ok: false,
          });
          expect(await verify(one, otherSecret(text, at), request)).toMatchObject({ ok: false });
          for (const name of [one.timestampHeader, one.idHeader, one.header]) {
            if (name === null) continue;
            const headers = changed(request.headers, name.toLowerCase(), at);
            expect(await verify(one, text, { ...request, headers })).toMatchObject({ ok: false });
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it("refuses arbitrary headers without throwing", async () => {
    const hostile = fc.oneof(
      fc.stringMatching(/^[\x20-\x7e]{0,200}$/),
      fc.stringMatching(/^(?:t=\d*|v\d[,=]|sha\d+=|[0-9a-f]{0,80}|[, ;]){0,8}$/),
    );
    await fc.assert(
      fc.asyncProperty(scheme, hostile, hostile, hostile, async (one, signature, when, which) => {
        const headers = Object.fromEntries(
          [
            [one.header, signature],
            [one.timestampHeader, when],
            [one.idHeader, which],
          ].filter(([name]) => name !== null),
        );
        expect(await verify(one, "a secret", { headers, body: "{}" })).toMatchObject({ ok: false });
      }),
      { numRuns: 150 },
    );
  });
});

/** The same bytes with one bit turned. */
function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const other = Uint8Array.from(bytes);
  const index = at % bytes.length;
  other[index] = (other[index] ?? 0) ^ (1 << (at % 8));
  return other;
}

/** Another secret of the same form. */
function otherSecret(text: string, at: number): string {
  const prefix = "whsec_";
  if (!text.startsWith(prefix)) return `${text.slice(0, -1)}${text.endsWith("a") ? "b" : "a"}`;
  const bytes = Buffer.from(text.slice(prefix.length), "base64");
  return `${prefix}${Buffer.from(flipped(bytes, at)).toString("base64")}`;
}

/** The headers with one digit or letter of one of them replaced by another. */
function changed(headers: Record<string, string>, name: string, at: number) {
  const value = headers[name] ?? "";
  const index = Math.max(value.length - 10, 0) + (at % Math.min(value.length, 10));
  const char = value[index] === "7" ? "4" : "7";
  return { ...headers, [name]: `${value.slice(0, index)}${char}${value.slice(index + 1)}` };
}

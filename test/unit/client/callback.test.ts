import type { IncomingHttpHeaders } from "node:http";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import {
  CallbackError,
  type VerifyCallbackOptions,
  verifyCallback,
} from "../../../src/client/callback.ts";
import { signatureHeaders } from "../../../src/deliveries/signature.ts";
import { emptyResult } from "../../support/states.ts";

const AT = "2026-11-20T09:30:00.000Z";
const SECRET = `whsec_${Buffer.from("a secret of thirty-two bytes !!!").toString("base64")}`;
const RAW = "correct horse báttery staple";
const callback = { type: "execution.completed", timestamp: AT, ...emptyResult() };
const BODY = JSON.stringify(callback);
const NOW = Date.parse(AT);

/** A callback as the official library signs it. */
function signed(secret = SECRET, at = NOW, body = BODY): VerifyCallbackOptions {
  const options = secret.startsWith("whsec_") ? undefined : ({ format: "raw" } as const);
  const key = options ? new TextEncoder().encode(secret) : secret;
  const signature = new Webhook(key, options).sign("msg_1", new Date(at), body);
  return {
    secret,
    body,
    headers: {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(at / 1_000)),
      "webhook-signature": signature,
    },
    now: () => NOW,
  };
}

const withHeaders = (change: Record<string, string | undefined>): VerifyCallbackOptions => {
  const { headers, ...rest } = signed();
  return { ...rest, headers: { ...headers, ...change } };
};

describe("a callback with a valid signature", () => {
  it.each([SECRET, RAW])("is accepted with a secret such as %s", async (secret) => {
    expect(await verifyCallback(signed(secret))).toEqual(callback);
  });

  it("is accepted with a secret of bare base64, which the official library decodes", async () => {
    const bare = SECRET.slice("whsec_".length);
    expect(await verifyCallback({ ...signed(SECRET), secret: bare })).toEqual(callback);
  });

  it("is accepted as the service signs it", async () => {
    const timestamp = NOW / 1_000;
    const headers = await signatureHeaders({ webhookId: "x", timestamp, body: BODY, secret: RAW });
    const given = { secret: RAW, headers, body: BODY, now: () => NOW };
    expect(await verifyCallback(given)).toMatchObject({ type: "execution.completed" });
  });

  it("is accepted from bytes, from Headers, and from Node's headers", async () => {
    const { headers, body, ...rest } = signed();
    const bytes = new TextEncoder().encode(BODY);
    const record = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
    const ofNode: IncomingHttpHeaders = { ...Object.fromEntries(record), "set-cookie": ["a", "b"] };
    const upper = Object.fromEntries(record.map(([name, value]) => [name.toUpperCase(), value]));
    for (const given of [new Headers(Object.fromEntries(record)), ofNode, upper]) {
      await expect(verifyCallback({ ...rest, headers: given, body: bytes })).resolves.toMatchObject(
        { status: "completed" },
      );
    }
    expect(body).toBe(BODY);
  });

  it("is accepted if one of several signatures is valid", async () => {
    const { headers } = signed();
    const right = Object.entries(headers).find(([name]) => name === "webhook-signature")?.[1];
    const several = `v1,AAAA v1a,whatever ${right}`;
    const given = withHeaders({ "webhook-signature": several });
    await expect(verifyCallback(given)).resolves.toMatchObject({ status: "completed" });
  });

  it("is accepted with a body stored by an earlier version, whose effects have no idempotencyKey", async () => {
    const effects = [
      { effectId: "s1c1", tool: "http_request", target: "a shop", state: "confirmed", at: AT },
    ];
    const body = JSON.stringify({ ...callback, effects });
    await expect(verifyCallback(signed(SECRET, NOW, body))).resolves.toMatchObject({ effects });
  });

  it.each([-300, 300])("is accepted if the clocks are %d seconds apart", async (seconds) => {
    await expect(verifyCallback(signed(SECRET, NOW + seconds * 1_000))).resolves.toBeTruthy();
  });

  it("is checked by the runtime's clock by default", async () => {
    const { now: _, ...given } = signed(SECRET, Date.now());
    await expect(verifyCallback(given)).resolves.toBeTruthy();
  });
});

describe("a callback with an invalid signature", () => {
  const refused: [string, VerifyCallbackOptions, string][] = [
    ["another secret", { ...signed(), secret: RAW }, "wrong_signature"],
    ["a changed body", { ...signed(), body: BODY.replace("Done.", "Gone.") }, "wrong_signature"],
    ["another id", withHeaders({ "webhook-id": "msg_2" }), "wrong_signature"],
    ["another time", withHeaders({ "webhook-timestamp": `${NOW / 1_000 + 1}` }), "wrong_signature"],
    ["no v1 signature", withHeaders({ "webhook-signature": "v1a,AAAA" }), "wrong_signature"],
    ["an empty signature", withHeaders({ "webhook-signature": "" }), "missing_header"],
    ["no signature", withHeaders({ "webhook-signature": undefined }), "missing_header"],
    ["no id", withHeaders({ "webhook-id": undefined }), "missing_header"],
    ["no time", withHeaders({ "webhook-timestamp": undefined }), "missing_header"],
    ["a time that is none", withHeaders({ "webhook-timestamp": "today" }), "outdated"],
    ["an old signature", signed(SECRET, NOW - 301_000), "outdated"],
    ["one of the future", signed(SECRET, NOW + 301_000), "outdated"],
    ["less tolerance", { ...signed(SECRET, NOW - 11_000), toleranceSeconds: 10 }, "outdated"],
    ["no JSON", signed(SECRET, NOW, "hello"), "malformed"],
    ["another form", signed(SECRET, NOW, '{"type":"execution.completed"}'), "malformed"],
    ["no UTF-8", { ...signed(), body: Uint8Array.of(0xff) }, "malformed"],
  ];

  it.each(refused)("is refused: %s", async (_, given, fault) => {
    const verifying = verifyCallback(given);
    await expect(verifying).rejects.toThrow(CallbackError);
    await expect(verifying).rejects.toMatchObject({ fault });
  });

  it.each([null, "", undefined])(
    "is refused if its secret is %j, which it says",
    async (secret) => {
      const unsigned: VerifyCallbackOptions = withHeaders({ "webhook-signature": "a  b" });
      Reflect.set(unsigned, "secret", secret);
      await expect(verifyCallback(unsigned)).rejects.toThrow("`secret` must not be empty.");
    },
  );
});

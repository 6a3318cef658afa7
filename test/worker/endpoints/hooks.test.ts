import { describe, expect, it } from "vitest";
import * as z from "zod";
import { CERTIFICATE, NOTIFICATION, SIGNATURES } from "../../support/sns.ts";
import { hmacHex } from "../../support/worker/hmac.ts";
import { entryOf, expectRefused, takenIn } from "../../support/worker/hooks.ts";
import { newEndpoint } from "../../support/worker/webhooks.ts";

const TOKEN = "a-token-of-tests";
const webKey = z.object({ x: z.string() });

describe("a webhook is accepted", () => {
  it("and started if a workflow is attached", async () => {
    const endpoint = await newEndpoint({}, []);
    const answer = await endpoint.hook({ id: "evt_1", total: 7 });
    const { executionId } = await takenIn(answer.clone());
    expect(executionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(await entryOf(endpoint, answer)).toMatchObject({
      method: "POST",
      path: `/hooks/${endpoint.endpointId}`,
      body: '{"id":"evt_1","total":7}',
      httpStatus: 202,
      errors: [],
      eventId: "evt_1",
      executionId,
    });
  });

  it("each time for events of one object that share an id", async () => {
    const endpoint = await newEndpoint({}, []);
    const paid = await takenIn(await endpoint.hook({ id: 1007, status: "paid", type: "order" }));
    const sent = await takenIn(await endpoint.hook({ id: 1007, status: "sent" }));
    expect(sent).toMatchObject({ status: "accepted", duplicate: false });
    expect(sent.executionId).not.toBe(paid.executionId);
    const again = await endpoint.hook({ id: 1007, status: "paid", type: "order" });
    expect(await takenIn(again.clone(), 200)).toMatchObject({ status: "duplicate" });
    expect(await entryOf(endpoint, again)).toMatchObject({
      eventId: "1007",
      eventIdSource: { rule: "body_and_hash", in: "body", path: "id" },
      eventType: "order",
      duplicateOf: paid.requestId,
      executionId: paid.executionId,
    });
  });

  it("without its secrets in the log, even in inputs or errors", async () => {
    const endpoint = await newEndpoint({ auth: { token: { secret: TOKEN } } }, [
      { name: "note", type: "object" },
      { name: "total", type: "number", required: true },
    ]);
    const send = (payload: unknown) =>
      endpoint.hook(payload, { headers: { "X-Webhook-Token": TOKEN } });
    const taken = await send({ note: { [TOKEN]: [`${TOKEN}!`, 1, null] }, total: 1 });
    await takenIn(taken.clone());
    const entry = await entryOf(endpoint, taken);
    expect(entry.mappedInputs).toEqual({ note: { [TOKEN]: ["[redacted]!", 1, null] }, total: 1 });
    const refused = await send({ note: {}, total: TOKEN });
    const { entry: other } = await expectRefused(endpoint, refused, 422, "mapping_failed");
    expect(other.errors[0]?.message).toContain("[redacted]");
    expect(JSON.stringify(other)).not.toContain(TOKEN);
  });
});

describe("a sender of another kind", () => {
  it("signs with a private key", async () => {
    const pair = await crypto.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"]);
    if (!("privateKey" in pair)) throw new TypeError("Ed25519 has pairs of keys");
    const { x } = webKey.parse(await crypto.subtle.exportKey("jwk", pair.publicKey));
    const publicKey = `${x.replaceAll("-", "+").replaceAll("_", "/")}=`;
    const signature = { algorithm: "ed25519", publicKey, encoding: "base64" };
    const endpoint = await newEndpoint({ auth: { signature } });
    const body = '{"id":"evt_1"}';
    const signed = await crypto.subtle.sign(
      "Ed25519",
      pair.privateKey,
      new TextEncoder().encode(body),
    );
    const headers = { "x-webhook-signature": btoa(String.fromCharCode(...new Uint8Array(signed))) };
    await takenIn(await endpoint.hook({ id: "evt_1" }, { headers }));
    const forged = await endpoint.hook({ id: "evt_2" }, { headers });
    await expectRefused(endpoint, forged, 401, "unauthorized");
  });

  it.each(Object.entries(SIGNATURES))("signs as Amazon SNS, version %s", async (version, text) => {
    const signature = {
      preset: "aws-sns",
      publicKey: CERTIFICATE,
      audience: NOTIFICATION.TopicArn,
    };
    const replayProtection = { enabled: false };
    const endpoint = await newEndpoint({ auth: { signature }, replayProtection });
    const event = { ...NOTIFICATION, SignatureVersion: version, Signature: text };
    const answer = await endpoint.hook(event);
    await takenIn(answer.clone());
    expect(await entryOf(endpoint, answer)).toMatchObject({ eventId: NOTIFICATION.MessageId });
    const forged = await endpoint.hook({ ...event, Message: "another message" });
    await expectRefused(endpoint, forged, 401, "unauthorized");
  });

  it("chooses the secret in its handshake, once", async () => {
    const endpoint = await newEndpoint({ auth: { hmac: { preset: "asana" } } });
    const secret = "b537207f20cbfa02357cf448134da559";
    const shake = (given: string) => endpoint.hook({}, { headers: { "x-hook-secret": given } });
    const answer = await shake(secret);
    expect([answer.status, answer.headers.get("x-hook-secret")]).toEqual([200, secret]);
    expect((await shake(`${secret}0`)).status).toBe(401);
    const event = { events: [{ action: "changed" }] };
    const headers = { "x-hook-signature": await hmacHex(secret, JSON.stringify(event)) };
    const taken = await endpoint.hook(event, { headers });
    await takenIn(taken.clone());
    expect(await entryOf(endpoint, taken)).toMatchObject({ eventType: "changed" });
  });
});

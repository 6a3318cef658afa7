import { generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { expect, it } from "vitest";
import { admitAll } from "../../../src/intake/admit.ts";
import { authWith, endpointWith, NOW, requestWith } from "../../support/hook-request.ts";

const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

const AUTH = authWith({
  signature: {
    preset: null,
    scheme: { algorithm: "jwt", in: "body", header: "signed", prefix: "", maxAgeSeconds: 300 },
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
    audience: null,
    secret: null,
  },
});

/** A request whose body is a token with these claims. */
async function sent(claims: Record<string, unknown>) {
  const signed = await new SignJWT(claims)
    .setProtectedHeader({ alg: "ES256" })
    .setIssuedAt(NOW / 1_000)
    .sign(privateKey);
  return requestWith({ body: JSON.stringify({ signed }) });
}

it("the claims of a token in the body are validated, mapped and logged as the payload", async () => {
  const endpoint = endpointWith({ auth: AUTH, eventId: { in: "body", path: "jti" } });
  const request = await sent({ jti: "evt_1", order: 7 });
  const [{ request: taken, admission }] = await admitAll(endpoint, request, NOW, {
    minTlsVersion: "1.3",
  });
  const payload = { jti: "evt_1", order: 7, iat: NOW / 1_000 };
  expect(admission.verdict).toMatchObject({ kind: "accept", eventId: "evt_1", payload });
  const raw = taken.body.kind === "whole" ? new TextDecoder().decode(taken.body.raw) : "";
  expect(JSON.parse(raw)).toEqual(payload);
});

it("a list in the claims is split like a list in a body", async () => {
  const endpoint = endpointWith({ auth: AUTH, split: { path: "events" } });
  const admitted = await admitAll(endpoint, await sent({ events: [{ a: 1 }, { a: 2 }] }), NOW, {
    minTlsVersion: "1.3",
  });
  expect(admitted.map(({ admission }) => admission.verdict)).toMatchObject([
    { payload: { a: 1 } },
    { payload: { a: 2 } },
  ]);
});

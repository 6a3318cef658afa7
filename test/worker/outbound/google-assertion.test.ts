import { expect, it } from "vitest";
import { fromBase64 } from "../../../src/lib/encoding.ts";
import { assertionOf } from "../../../src/outbound/google-sheets.ts";

const ALGORITHM = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

it("signs a service account's assertion in the Workers runtime", async () => {
  const keys = await crypto.subtle.generateKey(
    { ...ALGORITHM, modulusLength: 2_048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ["sign", "verify"],
  );
  if (!("privateKey" in keys)) throw new Error("there is no pair");
  const der = await crypto.subtle.exportKey("pkcs8", keys.privateKey);
  if (!(der instanceof ArrayBuffer)) throw new Error("there is no key");
  const base64 = btoa(String.fromCharCode(...new Uint8Array(der))).replace(/.{64}/g, "$&\n");
  const account = {
    client_email: "agent@example.com",
    private_key: `-----BEGIN PRIVATE KEY-----\n${base64}\n-----END PRIVATE KEY-----\n`,
    token_uri: "https://example.com/token",
  };
  const assertion = await assertionOf(account, { scope: "all", now: 1_700_000_000_000 });
  const [header = "", claims = "", signature = ""] = assertion?.split(".") ?? [];
  const signed = new TextEncoder().encode(`${header}.${claims}`);
  const bytes = fromBase64(signature);
  if (bytes === null) throw new Error("the signature is not base64");
  expect(await crypto.subtle.verify(ALGORITHM, keys.publicKey, bytes, signed)).toBe(true);
  expect(JSON.parse(new TextDecoder().decode(fromBase64(claims) ?? undefined))).toEqual({
    iss: "agent@example.com",
    scope: "all",
    aud: "https://example.com/token",
    iat: 1_700_000_000,
    exp: 1_700_003_600,
  });
});

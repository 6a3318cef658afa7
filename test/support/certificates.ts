import { createPrivateKey } from "node:crypto";
import { SignJWT } from "jose";

/** Returns base64 of DER as PEM. */
export const pemOf = (base64: string): string =>
  `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;

/**
 * A chain of certificates with the extensions that Apple's have, from a leaf to a root, valid from 2020 to
 * 2120, and the private key of the leaf; made with OpenSSL for these tests.
 */
export const CHAIN = {
  leaf: "MIIBmzCCAUGgAwIBAgIBAzAKBggqhkjOPQQDAjAgMR4wHAYDVQQDDBVJbnRlcm1lZGlhdGUgb2YgdGVzdHMwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBgxFjAUBgNVBAMMDUxlYWYgb2YgdGVzdHMwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASkoOz8lT72orlrSBvPbqtBINkJGEPxncQLUI1m4Y2fHLYZjiiZ5hrA6gJ1rwxcuygmuSFSkXVwUuofU5IwnDG4o3IwcDAMBgNVHRMBAf8EAjAAMA4GA1UdDwEB/wQEAwIHgDAQBgoqhkiG92NkBgsBBAIFADAdBgNVHQ4EFgQUUUBMyV9iTp6Z6XhdOSGckCq5AV0wHwYDVR0jBBgwFoAUFLl978X6EkMCNpToJh8NGt7vUoEwCgYIKoZIzj0EAwIDSAAwRQIhAIcS/HO7+reqJJCxF3stH9xuff8Gqs1XHH7eQUxNwZWPAiB7A2fuiaOzMmRzK4l6Ar28LtTmd324cYu2SuqxfTlo7A==",
  intermediate:
    "MIIBoDCCAUegAwIBAgIBAjAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA1Sb290IG9mIHRlc3RzMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAgMR4wHAYDVQQDDBVJbnRlcm1lZGlhdGUgb2YgdGVzdHMwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASe1Qmnzkt6IWgIeYCj0YN/clan/Zb9L+q6T/AwE0bcDxzIKB0V10lvn8EHjur3xUWT7s+tMY3dotaAOPdlcgV9o3gwdjASBgNVHRMBAf8ECDAGAQH/AgEAMA4GA1UdDwEB/wQEAwIBBjAQBgoqhkiG92NkBgIBBAIFADAdBgNVHQ4EFgQUFLl978X6EkMCNpToJh8NGt7vUoEwHwYDVR0jBBgwFoAUo2ZZlvRz9szd4JKA/bIkfSeVv/QwCgYIKoZIzj0EAwIDRwAwRAIgWYcWPZrRV1G5/WEGnM1bVgDfB3+eqRri97Pp9TFCWwACIHwx6F3Dh08oCLh0feosEzf60ll/f9HwzyLHyw5w9l46",
  root: "MIIBYzCCAQmgAwIBAgIBATAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA1Sb290IG9mIHRlc3RzMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAYMRYwFAYDVQQDDA1Sb290IG9mIHRlc3RzMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEbqLdUSu6hgSY3PoBg2pvrExkrGrtBcotSDWTtOtAq7NVZFY357j22O2yxuzTpO09MrbKwzeCTxUwTLDzCY6+2qNCMEAwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAQYwHQYDVR0OBBYEFKNmWZb0c/bM3eCSgP2yJH0nlb/0MAoGCCqGSM49BAMCA0gAMEUCIQC7Dytc/QBGMfqDtUIA56EbvYmqUAFPPKEKWQh5gWUZiAIgID8mb2eHT5KLMs2ryw3St7wMUSfImMAkkej200cLEF8=",
};
const LEAF_KEY = createPrivateKey({
  key: Buffer.from(
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgi1V+disWxnCaGMsET8s682QD0WtCJpskHDj3fM6B3kuhRANCAASkoOz8lT72orlrSBvPbqtBINkJGEPxncQLUI1m4Y2fHLYZjiiZ5hrA6gJ1rwxcuygmuSFSkXVwUuofU5IwnDG4",
    "base64",
  ),
  format: "der",
  type: "pkcs8",
});

/** Signs claims as the App Store signs its notifications. */
export async function signedByChain(
  claims: Record<string, unknown>,
  x5c: string[] = [CHAIN.leaf, CHAIN.intermediate, CHAIN.root],
): Promise<string> {
  return await new SignJWT(claims).setProtectedHeader({ alg: "ES256", x5c }).sign(LEAF_KEY);
}

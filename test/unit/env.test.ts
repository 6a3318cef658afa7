import { expect, it } from "vitest";
import { parseSettings } from "../../src/env.ts";

it.each([
  ["short", "Rv7qTz0cX4mB9sKfLhJw2yN8pDeG5u1"],
  ["short and repetitive", "short"],
  ["one character", "a".repeat(64)],
  ["a word over and over", "prompthook".repeat(4)],
  ["a word that breaks off", "password-".repeat(4).slice(0, 33)],
  ["few characters", `${"0".repeat(40)}1`],
])("an operators' token that is %s is refused, with the value to set", (_, token) => {
  expect(() => parseSettings({ ADMIN_TOKEN: token })).toThrow(
    /^Invalid configuration: ADMIN_TOKEN must .* set it to the output of `openssl rand -hex 32`\.$/,
  );
});

it.each([
  "7f3c9a01d2e84b56c0f1a9b8d7e6f5042b1c3d4e5f60718293a4b5c6d7e8f901",
  "RJ3vT0c9sKq2wYf8LhZ5nBxE7uDpGm1oAiVtSe4QyXk",
])("the operators' token %s is accepted", (token) => {
  expect(parseSettings({ ADMIN_TOKEN: token }).ADMIN_TOKEN).toBe(token);
});

it.each(["OPENAI_BASE_URL", "DNS_OVER_HTTPS_URL", "MCP_AUTHORIZATION_SERVER", "SEARXNG_URL"])(
  "%s is refused unless it is an http or https address",
  (name) => {
    for (const value of ["localhost:1234/v1", "ftp://files.example.com", "example.com"]) {
      expect(() => parseSettings({ [name]: value })).toThrow(
        `Invalid configuration: ${name} must be an http:// or https:// address.`,
      );
    }
  },
);

it("a model server whose address lacks its protocol is refused", () => {
  expect(() => parseSettings({ MODEL_SERVERS: "gateway=localhost:8000/v1" })).toThrow(
    "MODEL_SERVERS must name servers as name=address",
  );
});

it.each(["ENCRYPTION_KEY", "ID_KEY"])("%s is refused unless each key has 32 bytes", (name) => {
  const key = Buffer.alloc(32, 7).toString("base64");
  for (const value of ["secret", "c2VjcmV0", `${key},c2VjcmV0`, `${key}${key}`]) {
    expect(() => parseSettings({ [name]: value })).toThrow(
      `Invalid configuration: ${name} must be base64 keys of 32 bytes, separated by commas: \`openssl rand -base64 32\` makes one.`,
    );
  }
  const both = `${key}, ${Buffer.alloc(32, 8).toString("base64url")}`;
  expect(parseSettings({ [name]: both })).toMatchObject({ [name]: both.split(", ") });
});

it("each missing field of a Google service account is named in words", () => {
  expect(() => parseSettings({ GOOGLE_SERVICE_ACCOUNT: "{}" })).toThrow(
    "GOOGLE_SERVICE_ACCOUNT.client_email must be an e-mail address. GOOGLE_SERVICE_ACCOUNT.private_key must be a private key in PEM (PKCS #8). GOOGLE_SERVICE_ACCOUNT.token_uri must be an http:// or https:// address.",
  );
});

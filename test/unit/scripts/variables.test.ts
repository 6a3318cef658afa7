import { generateKeyPairSync } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../../scripts/local/project.ts";
import { workerVariables } from "../../../scripts/local/service.ts";
import { parseSettings, VARIABLES } from "../../../src/env.ts";

const RECORD = {
  v: 1,
  adminToken: "RJ3vT0c9sKq2wYf8LhZ5nBxE7uDpGm1oAiVtSe4QyXk",
  encryptionKey: "k".repeat(43),
  idKey: "i".repeat(43),
  apiKey: null,
  shellKeys: {},
} as const;
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const SERVICE_ACCOUNT = JSON.stringify({
  client_email: "sheets@example.com",
  private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
  token_uri: "https://accounts.example.com/token",
});

const KEYS = [
  ...["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "BRAVE_API_KEY", "TAVILY_API_KEY"],
  "ACCESS_AUD",
];
const ADDRESSES = [
  ...["OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GEMINI_BASE_URL", "BRAVE_BASE_URL"],
  ...["TAVILY_BASE_URL", "DNS_OVER_HTTPS_URL", "SEARXNG_URL", "GOOGLE_SHEETS_URL"],
];

/** For each variable a value that is not its default. */
const GIVEN: Record<string, string> = {
  ...Object.fromEntries(KEYS.map((name) => [name, `the value of ${name}`])),
  ...Object.fromEntries(ADDRESSES.map((name) => [name, `https://${name.length}.example.com/v1`])),
  DEFAULT_MODEL: "openai/chosen",
  MODEL_SERVERS: "gateway=https://llm.example.com/v1",
  MODEL_SERVER_KEYS: "gateway=gateway-key",
  MODEL_CONTEXT_TOKENS: "54321",
  MODEL_TIMEOUT_SECONDS: "77",
  ADMIN_TOKEN: "the-token-of-an-operator-of-the-tests",
  ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
  ID_KEY: Buffer.alloc(32, 2).toString("base64"),
  ALLOW_LOOPBACK: "false",
  DEFAULT_REGION: "oc",
  EXECUTION_RETENTION_DAYS: "9",
  ACCESS_TEAM_DOMAIN: "acme.cloudflareaccess.com",
  MCP_AUTHORIZATION_SERVER: "https://auth.example.com",
  EMAIL_FROM: "robot@example.com",
  EMAIL_ALLOWED_RECIPIENTS: "@example.com",
  SMTP_URL: "smtps://user:it's$HOME@mail.example.com:465",
  GOOGLE_SERVICE_ACCOUNT: SERVICE_ACCOUNT,
  GOOGLE_SHEETS: "sheet-1,sheet-2",
  MIN_TLS_VERSION: "1.2",
  SERVICE_HOSTS: "prompthook.example.com",
};

test("the documentation names exactly the variables that the service reads", async () => {
  const text = await readFile(join(ROOT, "docs/configuration.md"), "utf8");
  const cells = text.split("\n").flatMap((line) => /^\| (`.*?) +\|/.exec(line)?.[1] ?? []);
  const names = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  const ofStart = ["PORT", "STATE_DIR", "OLLAMA_HOST", "USE_SHELL_KEYS"];
  expect(names.sort()).toEqual([...ofStart, ...VARIABLES].sort());
});

test.each(VARIABLES)("%s takes effect from the environment", (name) => {
  const value = GIVEN[name] ?? "";
  const without: Record<string, string> = workerVariables({}, RECORD, 8787);
  const variables = workerVariables({ [name]: value, HOME: "/home/me" }, RECORD, 8787);
  expect(without[name]).not.toBe(value);
  expect(parseSettings(variables)).not.toEqual(parseSettings(without));
  // The service's own names are added to the given ones.
  if (name === "SERVICE_HOSTS") expect(variables.SERVICE_HOSTS.split(",")).toContain(value);
  else expect(variables).toEqual({ ...without, [name]: value });
});

test.each(VARIABLES)("%s is unset when it is empty", (name) => {
  expect(workerVariables({ [name]: "" }, RECORD, 8787)).toEqual(workerVariables({}, RECORD, 8787));
  expect(parseSettings({ [name]: "" })).toEqual(parseSettings({}));
});

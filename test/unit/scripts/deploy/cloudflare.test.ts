import { expect, test } from "vitest";
import { findDeployed, signedIn } from "../../../../scripts/deploy/cloudflare.ts";
import { type DeployedConfig, readDeployed } from "../../../../scripts/deploy/config.ts";
import type { Wrangler } from "../../../../scripts/deploy/wrangler.ts";
import { CONFIG as CHECKOUT_CONFIG } from "../../../../scripts/local/project.ts";

const CONFIG: DeployedConfig = await readDeployed(CHECKOUT_CONFIG);
const ACCOUNTS = [
  { id: "aa", name: "Harbour Lane" },
  { id: "bb", name: "Side project" },
];

const whoami = (accounts: typeof ACCOUNTS) => async () => ({
  code: 0,
  stdout: JSON.stringify({ loggedIn: true, email: "o@example.com", accounts, authType: "x" }),
  stderr: "",
});

test("takes the only account that there is", async () => {
  expect(await signedIn(whoami(ACCOUNTS.slice(0, 1)), CONFIG, {})).toEqual({
    id: "aa",
    name: "Harbour Lane",
    email: "o@example.com",
  });
});

test("takes the account that the configuration or the environment names", async () => {
  const configured = { ...CONFIG, accountId: "bb" };
  expect(await signedIn(whoami(ACCOUNTS), configured, {})).toMatchObject({ id: "bb" });
  const environment = { CLOUDFLARE_ACCOUNT_ID: "aa" };
  expect(await signedIn(whoami(ACCOUNTS), CONFIG, environment)).toMatchObject({ id: "aa" });
});

test("chooses none by itself where there are several", async () => {
  await expect(signedIn(whoami(ACCOUNTS), CONFIG, {})).rejects.toThrow(
    /CLOUDFLARE_ACCOUNT_ID=<id>:\n {2}aa {2}Harbour Lane\n {2}bb {2}Side project/,
  );
});

test("refuses an account that the sign-in does not reach", async () => {
  const configured = { ...CONFIG, accountId: "cc" };
  await expect(signedIn(whoami(ACCOUNTS), configured, {})).rejects.toThrow("no account cc");
});

test("tells how to sign in", async () => {
  const out = async () => ({ code: 1, stdout: '{\n  "loggedIn": false\n}', stderr: "" });
  await expect(signedIn(out, CONFIG, {})).rejects.toThrow("Run npx wrangler login");
});

test("shows what wrangler said when it could not look", async () => {
  const broken = async () => ({ code: 1, stdout: "", stderr: "\u001b[31mfetch failed\u001b[0m" });
  await expect(signedIn(broken, CONFIG, {})).rejects.toThrow(
    "wrangler whoami --json failed.\n\nfetch failed",
  );
});

const OK = { code: 0, stderr: "" };
const DATABASES = JSON.stringify([{ uuid: "id-1", name: "prompthook", version: "production" }]);
const NO_WORKER = {
  code: 1,
  stdout: "",
  stderr: '\u001b[31m✘ [ERROR]\u001b[0m Worker "prompthook" not found.\n',
};

/** A wrangler that answers by command. */
function wranglerWith({ databases = "[]", secrets = NO_WORKER }): Wrangler {
  return async ([command]) => (command === "d1" ? { ...OK, stdout: databases } : secrets);
}

test("finds nothing in an empty account", async () => {
  expect(await findDeployed(wranglerWith({}), CONFIG)).toEqual({ databases: [], secrets: null });
});

test("finds what is deployed", async () => {
  const wrangler = wranglerWith({
    databases: DATABASES,
    secrets: { ...OK, stdout: '[{"name": "ADMIN_TOKEN", "type": "secret_text"}]' },
  });
  expect(await findDeployed(wrangler, CONFIG)).toEqual({
    databases: ["prompthook"],
    secrets: ["ADMIN_TOKEN"],
  });
});

test("refuses to replace a Worker that only has the same name", async () => {
  const wrangler = wranglerWith({ secrets: { ...OK, stdout: "[]" } });
  await expect(findDeployed(wrangler, CONFIG)).rejects.toThrow('The name "prompthook" is taken');
});

test("takes no other failure for a missing Worker", async () => {
  const secrets = { code: 1, stdout: "", stderr: "✘ [ERROR] getaddrinfo ENOTFOUND" };
  await expect(findDeployed(wranglerWith({ secrets }), CONFIG)).rejects.toThrow("ENOTFOUND");
});

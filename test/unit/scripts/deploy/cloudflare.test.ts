import { expect, test } from "vitest";
import type { Answer, CloudflareApi } from "../../../../scripts/deploy/api.ts";
import { databaseIn, findDeployed, signedIn } from "../../../../scripts/deploy/cloudflare.ts";
import { type DeployedConfig, readDeployed } from "../../../../scripts/deploy/config.ts";
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

test("chooses the only account, or the one of the configuration or the environment", async () => {
  expect(await signedIn(whoami(ACCOUNTS.slice(0, 1)), CONFIG, {})).toEqual({
    id: "aa",
    name: "Harbour Lane",
    email: "o@example.com",
  });
  const configured = { ...CONFIG, accountId: "bb" };
  expect(await signedIn(whoami(ACCOUNTS), configured, {})).toMatchObject({ id: "bb" });
  const environment = { CLOUDFLARE_ACCOUNT_ID: "aa" };
  expect(await signedIn(whoami(ACCOUNTS), CONFIG, environment)).toMatchObject({ id: "aa" });
});

test("chooses none of several accounts", async () => {
  await expect(signedIn(whoami(ACCOUNTS), CONFIG, {})).rejects.toThrow(
    /CLOUDFLARE_ACCOUNT_ID=<id>:\n {2}aa {2}Harbour Lane\n {2}bb {2}Side project/,
  );
});

test("refuses an account without access", async () => {
  const configured = { ...CONFIG, accountId: "cc" };
  await expect(signedIn(whoami(ACCOUNTS), configured, {})).rejects.toThrow("no account cc");
});

test.each([
  ["how to sign in", '{"loggedIn": false}', "", "Run npx wrangler login"],
  ["what wrangler said", "", "\u001b[31mfetch failed\u001b[0m", "json failed.\n\nfetch failed"],
])("reports %s", async (_, stdout, stderr, message) => {
  const out = async () => ({ code: 1, stdout, stderr });
  await expect(signedIn(out, CONFIG, {})).rejects.toThrow(message);
});

const databaseOf = (name: string) => ({ uuid: `id-${name}`, name });

const NO_WORKER: Answer = {
  ok: false,
  refusal: { code: 10_007, message: "This Worker does not exist on your account." },
};

/** An account with databases of these names, whose ids say the same. */
function apiWith({
  databases = [],
  secrets = NO_WORKER,
}: {
  databases?: string[];
  secrets?: Answer;
}) {
  const api: CloudflareApi = async (_method, path) => {
    if (path.endsWith("/secrets")) return secrets;
    const page = Number(new URL(path, "https://api.example").searchParams.get("page"));
    const shown = databases.slice(100 * (page - 1), 100 * page);
    return { ok: true, result: shown.map(databaseOf) };
  };
  return api;
}

test("finds the deployment among several pages of databases", async () => {
  const others = Array.from({ length: 150 }, (_, at) => `other-${at}`);
  const databases = [...others, "prompthook"];
  const secrets: Answer = { ok: true, result: [{ name: "ADMIN_TOKEN", type: "secret_text" }] };
  expect(await findDeployed(apiWith({ databases, secrets }), CONFIG)).toEqual({
    databases: databases.map(databaseOf),
    secrets: ["ADMIN_TOKEN"],
  });
});

test("refuses to replace a foreign Worker of the same name", async () => {
  const api = apiWith({ secrets: { ok: true, result: [] } });
  await expect(findDeployed(api, CONFIG)).rejects.toThrow('The name "prompthook" is taken');
});

test("takes a Worker that has the service's secrets and no database yet for its own", async () => {
  const names = ["ADMIN_TOKEN", "ENCRYPTION_KEY", "ID_KEY"];
  const api = apiWith({ secrets: { ok: true, result: names.map((name) => ({ name })) } });
  expect(await findDeployed(api, CONFIG)).toEqual({ databases: [], secrets: names });
});

test("finds a database by the id that the configuration has, and refuses one of another account", async () => {
  const [control] = CONFIG.databases;
  if (control === undefined) throw new Error("there is no database");
  const [button, renamed] = [{ ...control, id: "id-hooks-db" }, databaseOf("hooks-db")];
  expect(databaseIn([databaseOf(control.name), renamed], button)).toBe(renamed);
  const config = { ...CONFIG, databases: [button] };
  await expect(findDeployed(apiWith({ databases: [control.name] }), config)).rejects.toThrow(
    "names the database id-hooks-db, which your account does not have. Remove that database_id",
  );
});

test("does not treat other refusals as a missing Worker", async () => {
  const refusal = { code: 10_000, message: "Authentication error" };
  const api = apiWith({ secrets: { ok: false, refusal } });
  await expect(findDeployed(api, CONFIG)).rejects.toThrow("Authentication error [code: 10000]");
});

import { expect, test } from "vitest";
import type { DeployedConfig } from "../../../../scripts/deploy/config.ts";
import { look, queuesIn } from "../../../../scripts/deploy/look.ts";
import type { Outcome, Wrangler } from "../../../../scripts/deploy/wrangler.ts";

const CONFIG: DeployedConfig = {
  path: "/checkout/wrangler.toml",
  name: "prompthook",
  accountId: null,
  database: { binding: "DB", name: "prompthook", id: "00000000-0000-0000-0000-000000000000" },
  queues: ["first", "second"],
  domain: null,
};

const OK = { code: 0, stderr: "" };
const DATABASES = JSON.stringify([{ uuid: "id-1", name: "prompthook", version: "production" }]);
const NO_WORKER = {
  code: 1,
  stdout: "",
  stderr: '\u001b[31m✘ [ERROR]\u001b[0m Worker "prompthook" (env: production) not found.\n',
};

function table(...names: string[]): string {
  const rows = names.map((name) => `│ 0a1b │ ${name} │ 2026-11-20 │ 0 │`);
  return ["┌──┐", "│ id │ name │ created_on │ producers │", "├──┤", ...rows, "└──┘"].join("\n");
}

/** A wrangler that answers by command, and pages of queues by their number. */
function wranglerWith(answers: {
  databases?: string;
  queues?: string[];
  secrets?: Outcome;
}): Wrangler {
  const { databases = "[]", queues = [], secrets = NO_WORKER } = answers;
  return async ([command, , ...rest]) => {
    if (command === "d1") return { ...OK, stdout: databases };
    if (command === "secret") return secrets;
    const page = Number(rest[0]?.split("=")[1]);
    return { ...OK, stdout: queues[page - 1] ?? "" };
  };
}

test("reads the names out of the table that wrangler draws", () => {
  expect(queuesIn(table("a", "b-dead"))).toEqual(["a", "b-dead"]);
  expect(queuesIn("")).toEqual([]);
  expect(queuesIn("\n")).toEqual([]);
});

test("finds nothing in an empty account", async () => {
  expect(await look(wranglerWith({}), CONFIG)).toEqual({
    databaseId: null,
    missingQueues: ["first", "second"],
    secrets: null,
  });
});

test("finds what is there, on whichever page", async () => {
  const wrangler = wranglerWith({
    databases: DATABASES,
    queues: [table("first", "other"), table("second")],
    secrets: { ...OK, stdout: '[{"name": "ADMIN_TOKEN", "type": "secret_text"}]' },
  });
  expect(await look(wrangler, CONFIG)).toEqual({
    databaseId: "id-1",
    missingQueues: [],
    secrets: ["ADMIN_TOKEN"],
  });
});

test("refuses to replace a Worker that only has the same name", async () => {
  const wrangler = wranglerWith({ secrets: { ...OK, stdout: "[]" } });
  await expect(look(wrangler, CONFIG)).rejects.toThrow('The name "prompthook" is taken');
});

test("refuses an account that does not have the configured database", async () => {
  const config = { ...CONFIG, database: { ...CONFIG.database, id: "id-2" } };
  const wrangler = wranglerWith({ databases: DATABASES });
  await expect(look(wrangler, config)).rejects.toThrow("no database id-2");
});

test("takes no other failure for a missing Worker", async () => {
  const secrets = { code: 1, stdout: "", stderr: "✘ [ERROR] getaddrinfo ENOTFOUND" };
  await expect(look(wranglerWith({ secrets }), CONFIG)).rejects.toThrow("ENOTFOUND");
});

import { expect, test } from "vitest";
import { readDeployed } from "../../../../scripts/deploy/config.ts";
import { renamed } from "../../../../scripts/deploy/names.ts";
import { CONFIG } from "../../../../scripts/local/project.ts";

const { raw } = await readDeployed(CONFIG);

test("gives a second deployment its own names for account-wide resources", () => {
  const staging = renamed(raw, "staging");
  expect(JSON.stringify(staging.queues)).not.toContain("prompthook");
  expect(staging.d1_databases).toMatchObject([{ database_name: "staging" }]);
  const namespaces = (config: typeof raw) =>
    config.ratelimits.map(({ namespace_id }) => namespace_id);
  expect(new Set([...namespaces(raw), ...namespaces(staging)]).size).toBe(4);
  expect(namespaces(renamed(raw, "staging"))).toEqual(namespaces(staging));
});

test("keeps apart names that do not begin with the Worker's", () => {
  const other = renamed({ ...raw, name: "hooks" }, "staging");
  expect(other.queues.consumers.map(({ queue }) => queue)).toContain(
    "staging-prompthook-inbound-dead",
  );
});

test("does not share the domains and databases of the first deployment", () => {
  const database = { binding: "DB", database_name: "prompthook", migrations_dir: "m" };
  const first = {
    ...raw,
    routes: [{ pattern: "hooks.example.com", custom_domain: true }],
    d1_databases: [{ ...database, database_id: "0b7e2f5c" }],
  };
  const staging = renamed(first, "staging");
  expect(staging.routes).toEqual([]);
  expect(staging.d1_databases).toEqual([{ ...database, database_name: "staging" }]);
  expect(renamed(first, "prompthook")).toBe(first);
});

test.each(["Staging", "-a", "a_b", "", "a".repeat(49)])("refuses the name %j", (name) => {
  expect(() => renamed(raw, name)).toThrow("cannot be a Worker's name");
});

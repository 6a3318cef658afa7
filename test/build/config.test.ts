import { join } from "node:path";
import { expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";
import { SECRETS } from "../../scripts/deploy/kept.ts";
import { ROOT } from "../../scripts/local/project.ts";

const read = (env: string) =>
  unstable_readConfig({ config: join(ROOT, "wrangler.toml"), env }, { hideWarnings: true });

/** A deployment writes the id of its own database into the deployed part. */
const withoutId = ({ database_id: _, ...database }: { database_id?: string }) => database;

test("what is deployed has all that runs locally, and what only Cloudflare has", () => {
  const local = read("");
  const deployed = read("production");
  expect(deployed.name).toBe(local.name);
  expect(deployed.durable_objects).toEqual(local.durable_objects);
  expect(deployed.migrations).toEqual(local.migrations);
  expect(deployed.queues).toEqual(local.queues);
  expect(deployed.d1_databases.map(withoutId)).toEqual(local.d1_databases.map(withoutId));
  expect(deployed.observability).toEqual(local.observability);
  expect(Object.keys(deployed.vars)).toEqual(expect.arrayContaining(Object.keys(local.vars)));
  expect(deployed.ai?.binding).toBe("AI");
  expect(deployed.browser?.binding).toBe("BROWSER");
  expect(deployed.send_email.map((entry: { name: string }) => entry.name)).toEqual(["EMAIL"]);
});

test("the log keeps the service's own lines, and not the platform's with their whole addresses", () => {
  for (const env of ["", "production"]) {
    expect(read(env).observability).toEqual({
      enabled: true,
      logs: { enabled: true, invocation_logs: false },
    });
  }
});

test("no version is deployed that would run without its secrets, or unobserved", () => {
  const { secrets, observability } = read("production");
  expect(secrets?.required).toEqual(SECRETS);
  expect(observability?.enabled).toBe(true);
  expect(read("").secrets).toBeUndefined();
});

test("every dead letter is taken by somebody", () => {
  const consumers: { queue: string; dead_letter_queue?: string }[] =
    read("production").queues.consumers ?? [];
  const taken = consumers.map(({ queue }) => queue);
  const dead = consumers.flatMap(({ dead_letter_queue }) => dead_letter_queue ?? []);
  expect(dead).toHaveLength(2);
  expect(taken).toEqual(expect.arrayContaining(dead));
});

test("loopback is never allowed where it is deployed", () => {
  expect(read("production").vars).not.toHaveProperty("ALLOW_LOOPBACK");
});

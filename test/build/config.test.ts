import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";
import * as z from "zod";
import { SECRETS } from "../../scripts/deploy/secrets.ts";
import { CONFIG, ROOT } from "../../scripts/local/project.ts";

const described = z.object({
  cloudflare: z.object({
    bindings: z.record(z.string(), z.object({ description: z.string() })),
  }),
});

const config = unstable_readConfig({ config: CONFIG }, { hideWarnings: true });

test("the log keeps the service's own lines, and neither log nor traces have whole addresses", () => {
  expect(config.observability).toEqual({
    enabled: true,
    redact_query_string: true,
    logs: { enabled: true, invocation_logs: false },
    traces: { enabled: false },
  });
});

test("only the deployed version has an address", () => {
  expect(config.preview_urls).toBe(false);
});

test("an object that waits without a client is not evicted", () => {
  expect(config.compatibility_flags).toContain("durable_object_io_tasks_prevent_eviction");
});

test("no version is deployed that would run without its secrets", () => {
  expect(config.secrets?.required).toEqual(SECRETS);
});

test("the button asks for the secrets, without a value that somebody could keep, and describes each binding", async () => {
  const example = await readFile(join(ROOT, ".dev.vars.example"), "utf8");
  const lines = example.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  expect(lines).toEqual(SECRETS.map((name) => `${name}=`));
  const { cloudflare } = described.parse(
    JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")),
  );
  const producers: { binding: string }[] = config.queues.producers ?? [];
  expect(Object.keys(cloudflare.bindings)).toEqual(
    expect.arrayContaining([
      ...SECRETS,
      ...Object.keys(config.vars),
      ...producers.map(({ binding }) => binding),
      "DB",
      "AI",
      "BROWSER",
      "EMAIL",
    ]),
  );
});

test("every queue has a producer, so that wrangler creates it, and every dead letter a consumer", () => {
  const { producers = [], consumers = [] } = config.queues;
  const names = (consumers ?? []).map(({ queue }: { queue: string }) => queue);
  const dead = (consumers ?? []).flatMap(
    ({ dead_letter_queue }: { dead_letter_queue?: string }) => dead_letter_queue ?? [],
  );
  expect(dead).toHaveLength(2);
  expect(names).toEqual(expect.arrayContaining(dead));
  expect((producers ?? []).map(({ queue }: { queue?: string }) => queue).sort()).toEqual(
    names.sort(),
  );
});

test("loopback is never allowed where it is deployed", () => {
  expect(config.vars).not.toHaveProperty("ALLOW_LOOPBACK");
});

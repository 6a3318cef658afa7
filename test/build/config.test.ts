import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import * as z from "zod";
import { SECRETS } from "../../scripts/deploy/secrets.ts";
import { CONFIG, ROOT } from "../../scripts/local/project.ts";

const described = z.object({
  cloudflare: z.object({
    bindings: z.record(z.string(), z.object({ description: z.string() })),
  }),
});

const configuration = z.object({
  compatibility_flags: z.array(z.string()),
  preview_urls: z.boolean(),
  observability: z.unknown(),
  secrets: z.object({ required: z.array(z.string()) }),
  vars: z.record(z.string(), z.string()),
  queues: z.object({
    producers: z.array(z.object({ binding: z.string(), queue: z.string() })),
    consumers: z.array(z.object({ queue: z.string(), dead_letter_queue: z.string().optional() })),
  }),
});
const config = configuration.parse(parse(await readFile(CONFIG, "utf8")));

test("the log has the service's own lines, and neither log nor traces have whole addresses", () => {
  expect(config.observability).toEqual({
    enabled: true,
    redact_query_string: true,
    logs: { enabled: true, invocation_logs: false },
    traces: { enabled: false },
  });
});

test("only the deployed version has a URL", () => {
  expect(config.preview_urls).toBe(false);
});

test("an object that waits without a client stays in memory", () => {
  expect(config.compatibility_flags).toContain("durable_object_io_tasks_prevent_eviction");
});

test("a version without its secrets is never deployed", () => {
  expect(config.secrets.required).toEqual(SECRETS);
});

test("the deploy button asks for the secrets without defaults, and describes each binding", async () => {
  const example = await readFile(join(ROOT, ".dev.vars.example"), "utf8");
  const lines = example.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  expect(lines).toEqual(SECRETS.map((name) => `${name}=`));
  const { cloudflare } = described.parse(
    JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")),
  );
  const { producers } = config.queues;
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
  const { producers, consumers } = config.queues;
  const names = consumers.map(({ queue }) => queue);
  const dead = consumers.flatMap(({ dead_letter_queue }) => dead_letter_queue ?? []);
  expect(dead).toHaveLength(2);
  expect(names).toEqual(expect.arrayContaining(dead));
  expect(producers.map(({ queue }) => queue).sort()).toEqual(names.sort());
});

test("a deployment never allows loopback", () => {
  expect(config.vars).not.toHaveProperty("ALLOW_LOOPBACK");
});

import { readFile } from "node:fs/promises";
import { parse } from "smol-toml";
import * as z from "zod";
import { CONFIG } from "./project.ts";

/** The local id of the database of the control rows; the others have their bindings' names. */
const DATABASE_ID = "00000000-0000-0000-0000-000000000000";

/** The Worker's options for Miniflare. */
export const localOptions = z.object({
  compatibilityDate: z.string(),
  compatibilityFlags: z.array(z.string()),
  d1Databases: z.record(z.string(), z.string()),
  durableObjects: z.record(z.string(), z.object({ className: z.string(), useSQLite: z.boolean() })),
  queueProducers: z.record(z.string(), z.object({ queueName: z.string() })),
  queueConsumers: z.record(
    z.string(),
    z.object({
      maxBatchSize: z.number().exactOptional(),
      maxBatchTimeout: z.number().exactOptional(),
      maxRetries: z.number().exactOptional(),
      deadLetterQueue: z.string().exactOptional(),
    }),
  ),
  ratelimits: z.record(
    z.string(),
    z.object({
      namespace_id: z.string(),
      simple: z.object({ limit: z.number(), period: z.literal([10, 60]) }),
    }),
  ),
});
export type LocalOptions = z.infer<typeof localOptions>;

/** The parts of wrangler.toml that a local Worker has too. */
const configuration = z.object({
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()),
  d1_databases: z.array(z.object({ binding: z.string() })),
  durable_objects: z.object({
    bindings: z.array(z.object({ name: z.string(), class_name: z.string() })),
  }),
  queues: z.object({
    producers: z.array(z.object({ binding: z.string(), queue: z.string() })),
    consumers: z.array(
      z.object({
        queue: z.string(),
        max_batch_size: z.number().optional(),
        max_batch_timeout: z.number().optional(),
        max_retries: z.number().optional(),
        dead_letter_queue: z.string().optional(),
      }),
    ),
  }),
  ratelimits: z.array(
    z.object({
      name: z.string(),
      namespace_id: z.string(),
      simple: localOptions.shape.ratelimits.valueType.shape.simple,
    }),
  ),
});

/** Reads from wrangler.toml which imports of the Worker are replaced, and by which. */
export async function readAliases(): Promise<Record<string, string>> {
  return aliases.parse(parse(await readFile(CONFIG, "utf8"))).alias;
}

const aliases = z.object({ alias: z.record(z.string(), z.string()) });

/**
 * Reads from wrangler.toml what a local Worker has. Its variables and the bindings that only Cloudflare
 * has (models, a browser, e-mail) are left out: wrangler's own conversion would ask for an account, and
 * takes a second to load.
 */
export async function readLocalOptions(): Promise<LocalOptions> {
  const read = parse(await readFile(CONFIG, "utf8"));
  const { queues, ...config } = configuration.parse(read);
  return localOptions.parse({
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
    d1Databases: byName(config.d1_databases, ({ binding }) => [
      binding,
      binding === "DB" ? DATABASE_ID : binding,
    ]),
    durableObjects: byName(config.durable_objects.bindings, ({ name, class_name }) => [
      name,
      { className: class_name, useSQLite: true },
    ]),
    queueProducers: byName(queues.producers, ({ binding, queue }) => [
      binding,
      { queueName: queue },
    ]),
    queueConsumers: byName(queues.consumers, ({ queue, ...consumer }) => [
      queue,
      withoutUndefined({
        maxBatchSize: consumer.max_batch_size,
        maxBatchTimeout: consumer.max_batch_timeout,
        maxRetries: consumer.max_retries,
        deadLetterQueue: consumer.dead_letter_queue,
      }),
    ]),
    ratelimits: byName(config.ratelimits, ({ name, ...limit }) => [name, limit]),
  });
}

function byName<Item, Value>(items: Item[], entry: (item: Item) => [string, Value]) {
  return Object.fromEntries(items.map(entry));
}

function withoutUndefined(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

import { createHash } from "node:crypto";
import * as z from "zod";
import { UserError } from "../local/project.ts";

/** The parts of a configuration that hold names of an account; the others are kept. */
export const namedParts = z.looseObject({
  name: z.string(),
  d1_databases: z.array(z.looseObject({ database_name: z.string() })),
  queues: z.looseObject({
    producers: z.array(z.looseObject({ queue: z.string() })).default([]),
    consumers: z
      .array(z.looseObject({ queue: z.string(), dead_letter_queue: z.string().exactOptional() }))
      .default([]),
  }),
  ratelimits: z.array(z.looseObject({ name: z.string(), namespace_id: z.string() })).default([]),
});
type NamedParts = z.infer<typeof namedParts>;

/** A label of an address on workers.dev, short enough for the names of queues (63 characters). */
const WORKER_NAME = /^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/;

/**
 * Returns the configuration of a further deployment: every name that an account has once is another. The
 * domains stay with the first deployment. Throws `UserError` for a name that Workers cannot have.
 */
export function renamed<Config extends NamedParts>(config: Config, name: string): Config {
  if (!WORKER_NAME.test(name)) {
    throw new UserError(
      `--name ${name} cannot be a Worker's name. Use up to 48 lower-case letters, digits and hyphens.`,
    );
  }
  if (name === config.name) return config;
  const own = (old: string) => {
    const isDerived = old === config.name || old.startsWith(`${config.name}-`);
    return isDerived ? `${name}${old.slice(config.name.length)}` : `${name}-${old}`;
  };
  return {
    ...config,
    name,
    route: undefined,
    routes: [],
    d1_databases: config.d1_databases.map(({ database_id: _, ...database }) => ({
      ...database,
      database_name: own(database.database_name),
    })),
    queues: {
      ...config.queues,
      producers: config.queues.producers.map((each) => ({ ...each, queue: own(each.queue) })),
      consumers: config.queues.consumers.map(({ dead_letter_queue: dead, ...each }) => ({
        ...each,
        queue: own(each.queue),
        ...(dead !== undefined && { dead_letter_queue: own(dead) }),
      })),
    },
    // Workers whose limits have the same namespace share their counts.
    ratelimits: config.ratelimits.map((limit) => ({
      ...limit,
      namespace_id: namespaceOf(`${name} ${limit.name}`),
    })),
  };
}

/** Returns a positive whole number that depends on the text only. */
function namespaceOf(text: string): string {
  return String((createHash("sha256").update(text).digest().readUInt32BE() >>> 1) + 1);
}

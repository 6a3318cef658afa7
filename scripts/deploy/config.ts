import * as z from "zod";
import { DEAD_LETTERS } from "../../src/env.ts";
import { UserError } from "../local/project.ts";
import { shown } from "./progress.ts";

const schema = z.object({
  name: z.string(),
  account_id: z.string().optional(),
  d1_databases: z.array(
    z.object({
      binding: z.string(),
      database_name: z.string(),
      migrations_dir: z.string().default("migrations"),
    }),
  ),
  queues: z.object({
    producers: z.array(z.object({ binding: z.string(), queue: z.string() })).default([]),
    consumers: z
      .array(z.object({ queue: z.string(), dead_letter_queue: z.string().optional() }))
      .default([]),
  }),
  routes: z
    .array(
      z.union([
        z.string(),
        z.object({ pattern: z.string(), custom_domain: z.boolean().optional() }),
      ]),
    )
    .default([]),
});

/** A database that the configuration names. */
export interface DeployedDatabase {
  binding: string;
  name: string;
  /** As the configuration has it. */
  migrationsDir: string;
}

/** What the configuration asks of Cloudflare. */
export interface DeployedConfig {
  /** The file. */
  path: string;
  /** The Worker's name. */
  name: string;
  accountId: string | null;
  databases: DeployedDatabase[];
  /** The first custom domain among the routes. */
  domain: string | null;
}

/** Reads the configuration. Throws `UserError` when it is not Prompthook's. */
export async function readDeployed(path: string): Promise<DeployedConfig> {
  // Loaded at its first use: wrangler is large, and a mistyped option is reported without it.
  const { unstable_readConfig } = await import("wrangler");
  const parsed = schema.safeParse(
    orUserError(() => unstable_readConfig({ config: path }, { hideWarnings: true }), path),
  );
  if (!parsed.success) throw new UserError(`${path}: ${z.prettifyError(parsed.error)}`);
  const { name, account_id, d1_databases, queues, routes } = parsed.data;
  const problem = queueProblem(queues);
  if (problem !== null) throw new UserError(`${shown(path)}: ${problem}`);
  const domain = routes.find((route) => typeof route === "object" && route.custom_domain === true);
  return {
    path,
    name,
    accountId: account_id ?? null,
    databases: d1_databases.map(({ binding, database_name, migrations_dir }) => ({
      binding,
      name: database_name,
      migrationsDir: migrations_dir,
    })),
    domain: typeof domain === "object" ? domain.pattern : null,
  };
}

/** The bindings of the queues that the service sends to. */
const QUEUES = ["CALLBACKS", "INBOUND"];

/**
 * Returns what keeps messages from their consumer, as a sentence, or null. Cloudflare would accept it: what
 * is sent to a queue that nothing consumes just stays there.
 */
function queueProblem({ producers, consumers }: z.infer<typeof schema>["queues"]): string | null {
  const consumed = new Map(consumers.map((consumer) => [consumer.queue, consumer]));
  const fed = new Set<string>();
  for (const wanted of QUEUES) {
    const queue = producers.find(({ binding }) => binding === wanted)?.queue;
    if (queue === undefined) return `No queue has the binding "${wanted}".`;
    if (queue.endsWith(DEAD_LETTERS)) {
      return `The queue "${queue}" has the binding "${wanted}". Choose a name that does not end in ${DEAD_LETTERS}, which only queues of dead letters have.`;
    }
    const dead = consumed.get(queue)?.dead_letter_queue;
    for (const each of [queue, dead]) {
      if (each !== undefined && !consumed.has(each)) {
        return `The queue "${each}" has no consumer. Add a [[queues.consumers]] block for it, or correct the name.`;
      }
    }
    if (dead?.endsWith(DEAD_LETTERS) !== true) {
      return `The consumer of "${queue}" needs a dead_letter_queue whose name ends in ${DEAD_LETTERS}, such as "${queue}${DEAD_LETTERS}".`;
    }
    fed.add(queue).add(dead);
  }
  const stray = consumers.find(({ queue }) => !fed.has(queue))?.queue;
  if (stray === undefined) return null;
  return `The service sends nothing to the queue "${stray}", but consumes it. Remove that [[queues.consumers]] block, or correct the name.`;
}

function orUserError(read: () => unknown, path: string): unknown {
  try {
    return read();
  } catch (error) {
    throw new UserError(
      `${path} cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}

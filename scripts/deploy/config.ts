import * as z from "zod";
import { DEAD_LETTERS } from "../../src/env.ts";
import { UserError } from "../local/project.ts";
import { namedParts, renamed } from "./names.ts";
import { shown } from "./progress.ts";

const customDomain = z.object({
  pattern: z.string(),
  custom_domain: z.literal(true),
  zone_id: z.string().exactOptional(),
  zone_name: z.string().exactOptional(),
});
const schema = z.looseObject({
  ...namedParts.shape,
  account_id: z.string().optional(),
  workers_dev: z.boolean().optional(),
  vars: z.record(z.string(), z.unknown()).default({}),
  d1_databases: z.array(
    z.looseObject({
      binding: z.string(),
      database_name: z.string(),
      database_id: z.string().exactOptional(),
      migrations_dir: z.string().default("migrations"),
    }),
  ),
  queues: z.looseObject({
    producers: z.array(z.looseObject({ binding: z.string(), queue: z.string() })).default([]),
    consumers: namedParts.shape.queues.shape.consumers,
  }),
  route: z.unknown().optional(),
  routes: z.array(z.unknown()).default([]),
});

/** A configuration as wrangler reads it from a file. */
export type RawConfig = z.infer<typeof schema>;

/** A database that the configuration names. */
export interface DeployedDatabase {
  binding: string;
  name: string;
  /** Its id at Cloudflare, where the configuration has it: the button writes it. */
  id: string | null;
  /** As the configuration has it. */
  migrationsDir: string;
}

/** A custom domain, by the words of Cloudflare's API. */
interface Domain {
  hostname: string;
  zone_id?: string;
  zone_name?: string;
}

/** What the configuration asks of Cloudflare. */
export interface DeployedConfig {
  /** The file. */
  path: string;
  /** The Worker's name. */
  name: string;
  accountId: string | null;
  databases: DeployedDatabase[];
  /** The custom domains. */
  domains: Domain[];
  /** Whether the Worker has an address on workers.dev. */
  workersDev: boolean;
  /** All of it but the custom domains, which wrangler would take from whoever has them. */
  raw: RawConfig;
}

/** What the operator chooses in place of the configuration's; null for that. */
export interface Choices {
  /** The Worker's name, with which those of its queues and databases begin. */
  name: string | null;
  /** A custom domain besides the configuration's. */
  domain: string | null;
  /** The Worker's name alone: a build at Cloudflare has named it. */
  workerName: string | null;
}

const CONFIGURED: Choices = { name: null, domain: null, workerName: null };

/** Reads the configuration. Throws `UserError` when it is not Prompthook's. */
export async function readDeployed(
  path: string,
  { name, domain, workerName }: Choices = CONFIGURED,
): Promise<DeployedConfig> {
  // Loaded at its first use: wrangler is large, and a mistyped option is reported without it.
  const { experimental_readRawConfig } = await import("wrangler");
  const read = orUserError(() => experimental_readRawConfig({ config: path }).rawConfig, path);
  const parsed = schema.safeParse(read);
  if (!parsed.success) throw new UserError(`${path}: ${z.prettifyError(parsed.error)}`);
  const file = parsed.data;
  const chosen = { ...file, name: workerName ?? file.name };
  const { route, ...config } = name === null ? chosen : renamed(file, name);
  const routes = route === undefined ? config.routes : [route];
  const problem = queueProblem(config.queues);
  if (problem !== null) throw new UserError(`${shown(path)}: ${problem}`);
  const custom = routes.map((each) => customDomain.safeParse(each).data);
  const configured = custom.flatMap((each) => {
    if (each === undefined) return [];
    const { pattern: hostname, custom_domain: _, ...zone } = each;
    return hostname === domain ? [] : [{ hostname, ...zone }];
  });
  // Without a route, wrangler takes it for true.
  const workersDev = config.workers_dev ?? routes.length === 0;
  return {
    path,
    name: config.name,
    accountId: config.account_id ?? null,
    databases: config.d1_databases.map((database) => ({
      binding: database.binding,
      name: database.database_name,
      id: database.database_id ?? null,
      migrationsDir: database.migrations_dir,
    })),
    domains: [...(domain === null ? [] : [{ hostname: domain }]), ...configured],
    workersDev,
    raw: {
      ...config,
      routes: routes.filter((_, index) => custom[index] === undefined),
      workers_dev: workersDev,
    },
  };
}

/** The bindings of the queues that the service sends to. */
const QUEUES = ["CALLBACKS", "INBOUND"];

/**
 * Returns what keeps messages from their consumer, as a sentence, or null. Cloudflare would accept it: what
 * is sent to a queue that nothing consumes just stays there.
 */
function queueProblem({ producers, consumers }: RawConfig["queues"]): string | null {
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

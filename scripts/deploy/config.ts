import * as z from "zod";
import { UserError } from "../local/project.ts";

/** The id in a fresh checkout: no database has it. */
export const NO_DATABASE = "00000000-0000-0000-0000-000000000000";

const schema = z.object({
  name: z.string(),
  account_id: z.string().optional(),
  d1_databases: z.array(
    z.object({ binding: z.string(), database_name: z.string(), database_id: z.string() }),
  ),
  queues: z.object({
    producers: z.array(z.object({ queue: z.string() })),
    consumers: z.array(z.object({ queue: z.string(), dead_letter_queue: z.string().optional() })),
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

/** What `[env.production]` asks of Cloudflare. */
export interface DeployedConfig {
  /** The file. */
  path: string;
  /** The Worker's name. */
  name: string;
  accountId: string | null;
  database: { binding: string; name: string; id: string };
  queues: string[];
  /** The first custom domain among the routes. */
  domain: string | null;
}

/** Reads the deployed part of the configuration. Throws `UserError` where it is not Prompthook's. */
export async function readDeployed(path: string): Promise<DeployedConfig> {
  // Loaded at its first use: wrangler is large, and a mistyped option is told without it.
  const { unstable_readConfig } = await import("wrangler");
  const parsed = schema.safeParse(
    readOrTell(
      () => unstable_readConfig({ config: path, env: "production" }, { hideWarnings: true }),
      path,
    ),
  );
  if (!parsed.success) throw new UserError(`${path}: ${z.prettifyError(parsed.error)}`);
  const { name, account_id, d1_databases, queues, routes } = parsed.data;
  const [database] = d1_databases;
  if (database === undefined) throw new UserError(`${path} has no database in [env.production].`);
  const domain = routes.find((route) => typeof route === "object" && route.custom_domain === true);
  return {
    path,
    name,
    accountId: account_id ?? null,
    database: {
      binding: database.binding,
      name: database.database_name,
      id: database.database_id,
    },
    queues: queueNames(queues),
    domain: typeof domain === "object" ? domain.pattern : null,
  };
}

function readOrTell(read: () => unknown, path: string): unknown {
  try {
    return read();
  } catch (error) {
    throw new UserError(
      `${path} cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function queueNames({ producers, consumers }: z.infer<typeof schema>["queues"]): string[] {
  const names = [
    ...producers.map(({ queue }) => queue),
    ...consumers.flatMap(({ queue, dead_letter_queue }) => [queue, dead_letter_queue]),
  ];
  return [...new Set(names.filter((name) => name !== undefined))];
}

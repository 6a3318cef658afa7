import * as z from "zod";
import { UserError } from "../local/project.ts";

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
  const { name, account_id, d1_databases, routes } = parsed.data;
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

function orUserError(read: () => unknown, path: string): unknown {
  try {
    return read();
  } catch (error) {
    throw new UserError(
      `${path} cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}

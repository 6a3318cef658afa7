import { join } from "node:path";
import { localKey } from "./account.ts";
import { writeBrowserConfig } from "./browser-config.ts";
import { chromiumCache } from "./chromium.ts";
import { type DevServer, startDevServer } from "./dev-server.ts";
import { applyMigrations, readMigrations } from "./migrations.ts";
import { claimPort, LOOPBACK } from "./port.ts";
import { writePrivateFile } from "./private-file.ts";
import { databaseId, ROOT } from "./project.ts";
import { databasesOf, openState, saveRecord } from "./state.ts";
import { serviceVariables, toEnvFile } from "./variables.ts";

export interface ServiceOptions {
  /** 0 takes any free port. */
  port: number;
  stateDir: string;
  /** Empties the state first. */
  fresh: boolean;
  /** Binds a real browser, the Chromium that npm has installed. */
  browser: boolean;
  /** Where the service's variables are looked up. */
  environment: NodeJS.ProcessEnv;
}

/** The service as it runs on this machine. */
export interface LocalService {
  server: DevServer;
  adminToken: string;
  /** The key of the account `local`. */
  apiKey: string;
}

/**
 * Starts the service on this machine: opens its state, brings the database up to date, starts the dev
 * server and, the first time, creates the account `local`. Throws `Trouble` for what the person at
 * the keyboard can mend.
 */
export async function startService(options: ServiceOptions): Promise<LocalService> {
  const port = await claimPort(options.port);
  const record = await openState(options.stateDir, options.fresh);
  const databases = databasesOf(options.stateDir);
  const given = serviceVariables(options.environment);
  const variables = {
    ADMIN_TOKEN: record.adminToken,
    ENCRYPTION_KEY: record.encryptionKey,
    ...given,
    ALLOW_LOOPBACK: "true",
    // Agents may reach loopback here, but never this service, by whichever of its names.
    SERVICE_HOSTS: [given.SERVICE_HOSTS ?? "", `${LOOPBACK}:${port}`, `localhost:${port}`].join(),
  };
  const envFile = join(options.stateDir, "prompthook.env");
  await writePrivateFile(envFile, toEnvFile(variables));
  const migrations = await readMigrations(join(ROOT, "migrations"));
  await applyMigrations(migrations, { id: await databaseId(), databases });
  const server = await startDevServer({
    port,
    envFile,
    persistTo: options.stateDir,
    browser: options.browser
      ? { config: await writeBrowserConfig(options.stateDir), cache: await chromiumCache() }
      : null,
  });
  const adminToken = variables.ADMIN_TOKEN;
  try {
    const apiKey = await localKey({ url: server.url, adminToken }, record.apiKey);
    if (apiKey !== record.apiKey) await saveRecord(options.stateDir, { ...record, apiKey });
    return { server, adminToken, apiKey };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

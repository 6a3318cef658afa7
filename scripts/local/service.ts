import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import * as z from "zod";
import { accountOfKey } from "../../src/accounts/key-format.ts";
import { apiKeyCreated } from "../../src/contract/keys.ts";
import { accountCreated } from "../../src/contract/operators.ts";
import { buildWorker } from "./build.ts";
import { chromiumCache } from "./chromium.ts";
import { joinVariables, serviceVariables, type Variables } from "./environment.ts";
import { applyMigrations, readMigrations } from "./migrations.ts";
import { type FoundModel, findModel, type ModelSearch } from "./model/find.ts";
import { claimPort, LOOPBACK } from "./ports.ts";
import { ROOT, UserError } from "./project.ts";
import { SYSTEM_RESOLVER } from "./resolver.ts";
import { printProblems, type Runtime, startRuntime } from "./runtime.ts";
import { databasesOf, type LocalRecord, OUTBOX, openState, PID_FILE, saveRecord } from "./state.ts";

/** The credits of the account `local`. */
const CREDITS = 100_000;

export interface ServiceOptions {
  /** 0 takes any free port. */
  port: number;
  stateDir: string;
  /** Empties the state first. */
  fresh: boolean;
  /** Binds the Chromium that npm has installed. */
  browser: boolean;
  /** The port where the Worker can be profiled, or null for none. */
  inspect: number | null;
  /** Where the service's variables and its model are looked up. */
  search: Omit<ModelSearch, "say" | "shellKeys">;
  /** Asks whether keys of the shell may be used; null where nobody can answer, "never" without a question. */
  askForKeys: ((question: string) => Promise<boolean>) | null | "never";
  /** Receives a line for each step that takes time. */
  progress: (line: string) => void;
}

/** The service as it runs on this machine. */
export interface LocalService {
  runtime: Runtime;
  adminToken: string;
  /** The key of the account `local`. */
  apiKey: string;
  model: FoundModel;
}

/**
 * Starts the service on this machine: opens its state, builds the Worker, migrates the database, starts
 * workerd and, the first time, creates the account `local`. Throws `UserError` for what the person at the
 * keyboard can solve.
 */
export async function startService(options: ServiceOptions): Promise<LocalService> {
  const { stateDir, progress, search } = options;
  // Before anything is touched: a mistyped variable changes nothing.
  serviceVariables(joinVariables(search.environment, new Set()));
  const port = await claimPort(options.port);
  let record = await openState(stateDir, options.fresh);
  const databases = databasesOf(stateDir);
  const outbox = join(resolve(stateDir), OUTBOX);
  const model = await findModel({
    ...search,
    say: progress,
    shellKeys:
      options.askForKeys === "never"
        ? "never"
        : { answers: record.shellKeys, ask: options.askForKeys },
  });
  if (model.answers !== record.shellKeys) {
    record = { ...record, shellKeys: { ...model.answers } };
    await saveRecord(stateDir, record);
  }
  const variables = workerVariables(model.variables, record, port);
  const migrations = await readMigrations(join(ROOT, "migrations"));
  const [worker, browser] = await Promise.all([
    buildWorker({ onBuild: () => progress("Building the Worker ...") }),
    options.browser ? chromiumCache() : null,
  ]);
  // From here on every new file is the state's: workerd keeps it as private as the directory.
  process.umask(0o077);
  const migrating = () => progress("Migrating the database ...");
  const applied = applyMigrations(migrations, databases, worker.options, migrating);
  await orDamaged(stateDir, record, applied);
  await mkdir(outbox, { recursive: true });
  progress("Starting workerd ...");
  process.env.PROMPTHOOK_PID_FILE = join(stateDir, PID_FILE);
  const runtime = await startRuntime({
    worker,
    variables,
    port,
    databases,
    outbox,
    browser,
    inspect: options.inspect,
    onLog: printProblems,
  });
  const adminToken = variables.ADMIN_TOKEN;
  try {
    await orDamaged(stateDir, record, healthy(runtime.url));
    const key = localKey({ url: runtime.url, adminToken }, record.apiKey);
    const apiKey = await orDamaged(stateDir, record, key);
    if (apiKey !== record.apiKey) await saveRecord(stateDir, { ...record, apiKey });
    return { runtime, adminToken, apiKey, model };
  } catch (error) {
    await runtime.stop();
    throw error;
  }
}

/** Returns the Worker's variables: those in `environment`, and what the state and this machine add. */
export function workerVariables(
  environment: Variables,
  { adminToken, encryptionKey, idKey }: LocalRecord,
  port: number,
) {
  const given = serviceVariables(environment);
  // Agents may reach loopback here, but never this service, under any of its names.
  const ownHosts = [`${LOOPBACK}:${port}`, `localhost:${port}`];
  return {
    ENCRYPTION_KEY: encryptionKey,
    ID_KEY: idKey,
    ALLOW_LOOPBACK: "true",
    // Without a look-up, every name that leads to this machine or its network would be allowed.
    DNS_OVER_HTTPS_URL: SYSTEM_RESOLVER,
    ...given,
    ADMIN_TOKEN: given.ADMIN_TOKEN ?? adminToken,
    SERVICE_HOSTS: [given.SERVICE_HOSTS ?? "", ...ownHosts].join(),
  };
}

/** A loaded machine may take longer for the first answer than the service waits for its database. */
const HEALTH_TRIES = 3;

/** Throws unless the service has its databases, whole and migrated. */
async function healthy(url: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(`${url}/healthz`);
    const text = await response.text();
    if (response.ok) return;
    if (tries === HEALTH_TRIES) throw new Error(detailOf(text));
  }
}

/** Returns the result of a step; for its failure on a state that an earlier start completed, throws `UserError`. */
async function orDamaged<Result>(
  stateDir: string,
  { apiKey }: LocalRecord,
  step: Promise<Result>,
): Promise<Result> {
  try {
    return await step;
  } catch (error) {
    if (apiKey === null || error instanceof UserError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(
      `The state in ${stateDir} is damaged, or another version stored it. Start that version, replace the directory by a copy of it, or empty it with npm start -- --fresh. The reason: ${reason}`,
    );
  }
}

const problem = z.object({ detail: z.string() });

/** Returns the sentence of an error response, or the whole response if that has none. */
function detailOf(text: string): string {
  try {
    return problem.parse(JSON.parse(text)).detail;
  } catch {
    return text;
  }
}

/** The operators' side of the service. */
interface Operators {
  url: string;
  adminToken: string;
}

/**
 * Returns a valid key of the account `local`: the `known` one, or a new one where that was revoked or
 * rotated. Opens the account when no key is known.
 */
async function localKey(operators: Operators, known: string | null): Promise<string> {
  const accountId = known === null ? null : accountOfKey(known);
  if (known === null || accountId === null) {
    const account = { name: "local", credits: CREDITS };
    return (await create(operators, "", account, accountCreated)).apiKey;
  }
  if (await isValid(operators.url, known)) return known;
  return (await create(operators, `/${accountId}/keys`, { name: "npm start" }, apiKeyCreated))
    .apiKey;
}

async function isValid(url: string, apiKey: string): Promise<boolean> {
  const response = await fetch(`${url}/api/v1/agent/credits`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  const text = await response.text();
  if (response.status >= 500) throw new Error(detailOf(text));
  return response.status !== 401;
}

async function create<Schema extends z.ZodType>(
  { url, adminToken }: Operators,
  path: string,
  body: object,
  schema: Schema,
): Promise<z.output<Schema>> {
  const response = await fetch(`${url}/api/v1/admin/accounts${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${adminToken}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(detailOf(text));
  return schema.parse(JSON.parse(text));
}

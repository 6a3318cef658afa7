import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Miniflare, V4WorkerOptions } from "miniflare";
import { LOOPBACK } from "../../../scripts/local/ports.ts";
import { choosePort } from "../ports.ts";
import type { Binding, CloudflareAccount, Consumer, DeployedWorker, Version } from "./account.ts";

/** Runs what is deployed to an account: the deployed versions in workerd, on real databases and queues. */
export class CloudflareRuntime {
  readonly #account: CloudflareAccount;
  /** Without Workers while only its databases were asked. */
  #running: { miniflare: Miniflare; origins: Map<string, string> } | null = null;
  #directory: string | null = null;

  constructor(account: CloudflareAccount) {
    this.#account = account;
  }

  /** Runs the statements of `sql` in one transaction, as D1's API does. */
  async query(databaseId: string, sql: string): Promise<unknown[]> {
    const { miniflare } = this.#running ?? (await this.#start([]));
    const { unstable_splitSqlQuery: splitSql } = await import("wrangler");
    const db = await miniflare.getD1Database(databaseId);
    return db.batch(splitSql(sql).map((statement) => db.prepare(statement)));
  }

  /** Where the deployed version of a Worker answers. Workers run once one of them is called. */
  async origin(worker: string): Promise<string> {
    if (this.#running?.origins.has(worker) !== true) {
      await this.changed();
      await this.#start([...this.#account.workers.values()]);
    }
    const origin = this.#running?.origins.get(worker);
    if (origin === undefined) throw new Error(`nothing is deployed as ${worker}`);
    return origin;
  }

  /** Has what was changed in the account take effect. */
  async changed(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.miniflare.dispose();
  }

  async close(): Promise<void> {
    await this.changed();
    if (this.#directory !== null) await rm(this.#directory, { recursive: true, force: true });
  }

  /** Starts workerd with the account's databases and these Workers. */
  async #start(workers: DeployedWorker[]) {
    this.#directory ??= await mkdtemp(join(tmpdir(), "prompthook-cloudflare-"));
    const { databases, queues } = this.#account;
    const origins = new Map<string, string>();
    const running: V4WorkerOptions[] = [];
    for (const { name, deployed: version } of workers) {
      if (version === undefined) continue;
      const port = await choosePort();
      const own = queues.filter(({ consumer }) => consumer?.script_name === name);
      running.push({
        ...(await workerOf(version, own, join(this.#directory, "modules", version.id))),
        ...(await this.#assetsOf(version, join(this.#directory, "assets", version.id))),
        name,
        unsafeDirectSockets: [{ host: LOOPBACK, port }],
      });
      origins.set(name, `http://${LOOPBACK}:${port}`);
    }
    // Loaded at its first use: many tests of deployments run nothing.
    const { convertV4MiniflareOptions, Miniflare } = await import("miniflare");
    const miniflare = new Miniflare(
      convertV4MiniflareOptions({
        workers: [
          {
            name: "databases",
            modules: true,
            script: "export default {}",
            compatibilityDate: "2026-08-01",
            d1Databases: Object.fromEntries(databases.map(({ uuid }) => [uuid, uuid])),
          },
          ...running,
        ],
        resourcePersistencePath: join(this.#directory, "state"),
        cf: false,
        telemetry: { enabled: false },
      }),
    );
    await miniflare.ready;
    this.#running = { miniflare, origins };
    return this.#running;
  }

  /** The static files of a Worker, written into `directory`. */
  async #assetsOf({ metadata }: Version, directory: string) {
    const { files, sessions } = this.#account.assets;
    for (const [path, hash] of sessions.get(metadata.assets.jwt) ?? []) {
      const file = join(directory, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, files.get(hash) ?? new Uint8Array());
    }
    const serve = () => ({ disk: { path: directory, writable: false } });
    return { serviceBindings: named(metadata.bindings, "assets", serve) };
  }
}

const MODULE_TYPES: Record<string, "ESModule" | "CompiledWasm" | "Text"> = {
  "application/javascript+module": "ESModule",
  "application/wasm": "CompiledWasm",
  "text/plain": "Text",
};

/** The Worker, its modules written into `directory`. What only Cloudflare has is left out. */
async function workerOf(
  { metadata, modules, secrets }: Version,
  queues: CloudflareAccount["queues"],
  directory: string,
): Promise<V4WorkerOptions> {
  await mkdir(directory, { recursive: true });
  for (const { name, bytes } of modules) await writeFile(join(directory, name), bytes);
  const isMain = ({ name }: { name: string }) => name === metadata.main_module;
  const ordered = modules.toSorted((a, b) => Number(isMain(b)) - Number(isMain(a)));
  return {
    rootPath: directory,
    modulesRoot: directory,
    modules: ordered.map(({ name, type }) => ({
      type: MODULE_TYPES[type] ?? "Data",
      path: join(directory, name),
    })),
    compatibilityDate: metadata.compatibility_date,
    compatibilityFlags: metadata.compatibility_flags,
    bindings: { ...named(metadata.bindings, "plain_text", ({ text }) => text), ...secrets },
    d1Databases: named(metadata.bindings, "d1", ({ id }) => id),
    durableObjects: named(metadata.bindings, "durable_object_namespace", ({ class_name }) => ({
      className: class_name,
      useSQLite: true,
    })),
    ratelimits: named(metadata.bindings, "ratelimit", ({ namespace_id, simple }) => ({
      namespace_id,
      simple,
    })),
    queueProducers: named(metadata.bindings, "queue", ({ queue_name }) => ({
      queueName: queue_name,
    })),
    queueConsumers: Object.fromEntries(
      queues.flatMap(({ queue_name, consumer }) =>
        consumer === null ? [] : [[queue_name, consumerOf(consumer)]],
      ),
    ),
  };
}

/** The bindings of one type, by name. */
function named<Type extends Binding["type"], Value>(
  bindings: Binding[],
  type: Type,
  toValue: (binding: Extract<Binding, { type: Type }>) => Value,
): Record<string, Value> {
  const isOfType = (binding: Binding): binding is Extract<Binding, { type: Type }> =>
    binding.type === type;
  return Object.fromEntries(
    bindings.filter(isOfType).map((binding) => [binding.name, toValue(binding)]),
  );
}

function consumerOf({ settings, dead_letter_queue }: Consumer) {
  return {
    maxBatchSize: settings.batch_size,
    maxBatchTimeout: settings.max_wait_time_ms / 1_000,
    ...(settings.max_retries !== undefined && { maxRetries: settings.max_retries }),
    ...(dead_letter_queue !== undefined && { deadLetterQueue: dead_letter_queue }),
  };
}

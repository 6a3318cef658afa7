import * as z from "zod";
import { CALLBACK_SECRET_CONTEXT } from "../contract/callbacks.ts";
import { readableBy } from "../contract/fields.ts";
import { type EndpointConfig, endpointConfig } from "../contract/webhooks/endpoint.ts";
import { Tables } from "../durable/rows.ts";
import { routesOf } from "../intake/routing/routes.ts";
import type { Resealer } from "../lib/resealer.ts";

/** Keeps the fields that only newer code knows. */
const storedConfig: z.ZodType<EndpointConfig> = endpointConfig.extend({ readableBy }).loose();
const configRow = z.object({
  config: z.string().transform((text) => storedConfig.parse(JSON.parse(text))),
});

/** The endpoint's configurations: the newest, and older ones while work refers to them. */
export class Configs extends Tables {
  readonly #storage: DurableObjectStorage;
  #current: EndpointConfig | null;

  constructor(storage: DurableObjectStorage) {
    super(storage.sql);
    this.#storage = storage;
    this.#current = this.#newest();
  }

  get current(): EndpointConfig {
    if (this.#current === null) throw new Error("this inbox has no configuration");
    return this.#current;
  }

  /** Whether a configuration is not newer than the current one. */
  knows(config: EndpointConfig): boolean {
    return this.#current !== null && this.#current.version >= config.version;
  }

  /**
   * Stores a newer configuration and applies its consequences, in one transaction. They get the configuration
   * before it, null for the first one.
   */
  put(config: EndpointConfig, consequences: (before: EndpointConfig | null) => void): void {
    const before = this.#current;
    const next = this.#withRetention(config);
    this.#storage.transactionSync(() => {
      this.insert("configs", { version: next.version, config: next });
      consequences(before);
      this.prune();
    });
    this.#current = next;
  }

  /**
   * Stores an earlier configuration that work refers to, within a transaction. Its version is negative, so
   * that it is never the newest.
   */
  keepEarlier(config: EndpointConfig): void {
    this.prune();
    this.insert("configs", { version: config.version, config });
  }

  /** Returns a version for an earlier configuration. */
  earlierVersion(): number {
    return (this.number("SELECT min(min(version), 0) FROM configs") ?? 0) - 1;
  }

  /** Returns the configurations of these versions. */
  at(versions: readonly number[]): EndpointConfig[] {
    const query = "SELECT config FROM configs WHERE version IN (SELECT value FROM json_each(?))";
    return this.rows(configRow, query, JSON.stringify(versions)).map(({ config }) => config);
  }

  /** Seals the callback secrets anew, also those of older configurations. */
  async reseal(sealer: Resealer): Promise<void> {
    for (const { config } of this.rows(configRow, "SELECT config FROM configs")) {
      const secrets = routesOf(config).flatMap(
        ({ workflow }) => workflow?.callback?.sealedSecret ?? [],
      );
      for (const before of new Set(secrets)) {
        const after = await sealer.reseal(before, CALLBACK_SECRET_CONTEXT);
        if (after === before) continue;
        const change = "UPDATE configs SET config = replace(config, ?, ?) WHERE version = ?";
        this.sql.exec(change, before, after, config.version);
      }
    }
    this.#current = this.#newest();
  }

  #newest(): EndpointConfig | null {
    const query = "SELECT config FROM configs ORDER BY version DESC LIMIT 1";
    return this.first(configRow, query)?.config ?? null;
  }

  /** Keeps the log of a deleted endpoint as long as before: its last configuration has no settings. */
  #withRetention(config: EndpointConfig): EndpointConfig {
    if (!config.deleted || this.#current === null) return config;
    return { ...config, retentionDays: this.#current.retentionDays };
  }

  /** Deletes the ones that no work refers to. */
  prune(): void {
    this.sql.exec(
      `DELETE FROM configs WHERE version < (SELECT max(version) FROM configs) AND version NOT IN
         (SELECT config_version FROM ready
          UNION SELECT config_version FROM starts WHERE status = 'queued')`,
    );
  }
}

import * as z from "zod";
import {
  chosenModel,
  firstUnusable,
  type ModelEnvironment,
  type UnusableModel,
} from "../agent/models/registry.ts";
import type { SeedDraft } from "../contract/account.ts";
import type { AddReply } from "../contract/connections.ts";
import {
  type AccountModels,
  MAX_MODEL_PROVIDERS,
  type ModelProviderRecord,
  type ProviderRule,
  providerRule,
  type StoredProvider,
} from "../contract/model-providers.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import type { TableStorage } from "../durable/storage.ts";
import { type SealedRecord, SealedRecords } from "./sealed-records.ts";

const DEFAULT_KEY = "default_model";
const storedDefault = z.string().nullable().catch(null);

/** The models of an execution, as its seed has them. */
type ChosenModels = Pick<ExecutionSeed, "model" | "fallbacks" | "providers" | "chosen">;
type Asked = Pick<SeedDraft, "model" | "fallbacks" | "isDefaultModel">;

/** The model providers of an account, and its default model. */
export class ModelProviders {
  readonly records: SealedRecords<ProviderRule>;
  readonly #kv: TableStorage["kv"];
  readonly #service: () => ModelEnvironment;
  #known: ModelProviderRecord[] | null = null;
  #default: string | null | undefined;

  /** `service` returns the models of the service. */
  constructor({ sql, kv }: Pick<TableStorage, "sql" | "kv">, service: () => ModelEnvironment) {
    this.records = new SealedRecords(sql, {
      table: "model_providers",
      idColumn: "provider_id",
      rule: providerRule,
      limit: MAX_MODEL_PROVIDERS,
    });
    this.#kv = kv;
    this.#service = service;
  }

  add(
    { providerId: id, ...provider }: StoredProvider,
    createdAt: number,
  ): AddReply<ModelProviderRecord> {
    const record = { id, ...provider, createdAt };
    const refusal = this.records.add(record);
    this.forget();
    return refusal ?? { kind: "added", record: recordOf(record) };
  }

  list(): ModelProviderRecord[] {
    this.#known ??= this.records.all().map(recordOf);
    return this.#known;
  }

  change(id: string, rule: ProviderRule, sealedValue: string | null): ModelProviderRecord | null {
    this.records.change(id, rule, sealedValue);
    this.forget();
    return this.#find(id);
  }

  remove(id: string): boolean {
    const provider = this.#find(id);
    if (provider === null) return false;
    if (this.defaultModel?.startsWith(`${provider.name}/`)) this.defaultModel = null;
    this.forget();
    return this.records.remove(id);
  }

  get defaultModel(): string | null {
    if (this.#default === undefined)
      this.#default = storedDefault.parse(this.#kv.get(DEFAULT_KEY) ?? null);
    return this.#default;
  }

  set defaultModel(model: string | null) {
    this.#kv.put(DEFAULT_KEY, model);
    this.#default = model;
  }

  models(): AccountModels {
    return { providers: this.list(), defaultModel: this.defaultModel };
  }

  sealed(providerIds: readonly string[]): StoredProvider[] {
    return this.records
      .all()
      .filter(({ id }) => providerIds.includes(id))
      .map(({ id, name, rule, sealedValue }) => ({ providerId: id, name, rule, sealedValue }));
  }

  /** Returns the first model that the account cannot use, or whose price a limit needs; null for none. */
  unusable(asked: Asked & Pick<SeedDraft, "maxCostUsd">): UnusableModel | null {
    const chain = this.#chainOf(asked);
    const place = this.#place();
    const unusable = firstUnusable(chain, place);
    if (unusable !== null || asked.maxCostUsd === undefined) return unusable;
    const unpriced = [chain.model, ...chain.fallbacks].find(
      (name) => chosenModel(name, place).price === undefined,
    );
    if (unpriced === undefined) return null;
    const message = `needs the price of ${unpriced}, which is not known; describe it in a model provider`;
    return { field: "maxCostUsd", message };
  }

  /** Returns the models of an execution, and the account's providers that have some of them. */
  grantKnown(asked: Asked): ChosenModels {
    const chain = this.#chainOf(asked);
    const names = [chain.model, ...chain.fallbacks];
    const own = this.list().filter(({ name }) => names.some((one) => one.startsWith(`${name}/`)));
    if (own.length === 0) return chain;
    return {
      ...chain,
      providers: own.map(({ providerId, name }) => ({ providerId, name })),
      chosen: names.map((name) => chosenModel(name, this.#place())),
    };
  }

  /** Drops what is in memory: a change may have been undone. */
  forget(): void {
    this.#known = null;
    this.#default = undefined;
  }

  #chainOf({ model, fallbacks, isDefaultModel = false }: Asked) {
    const own = isDefaultModel ? this.defaultModel : null;
    return own === null ? { model, fallbacks } : { model: own, fallbacks: [] };
  }

  #place(): ModelEnvironment {
    return { ...this.#service(), providers: this.list() };
  }

  #find(id: string): ModelProviderRecord | null {
    return this.list().find(({ providerId }) => providerId === id) ?? null;
  }
}

function recordOf({ id, name, rule, createdAt }: SealedRecord<ProviderRule>): ModelProviderRecord {
  const { kind, baseUrl, last4, models, updatedAt } = rule;
  return {
    providerId: id,
    name,
    kind,
    baseUrl,
    apiKey: { set: true, last4 },
    models,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}

import * as z from "zod";
import {
  chosenModel,
  firstUnusable,
  type ModelEnvironment,
  type UnusableModel,
} from "../agent/models/registry.ts";
import type { SeedDraft } from "../contract/account.ts";
import {
  type AccountModels,
  MAX_MODEL_PROVIDERS,
  type ModelProviderRecord,
  type ProviderRule,
  providerRule,
  type StoredProvider,
} from "../contract/models.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import { jsonColumn, rowShape, type TableStorage } from "../durable/rows.ts";
import { NamedRecords } from "./named-records.ts";

const DEFAULT_KEY = "default_model";
const storedDefault = z.string().nullable().catch(null);

/** The models of an execution, as its seed has them. */
type ChosenModels = Pick<ExecutionSeed, "model" | "fallbacks" | "providers" | "chosen">;
type Asked = Pick<SeedDraft, "model" | "fallbacks" | "isDefaultModel">;

const providerRow = rowShape({
  providerId: z.string(),
  name: z.string(),
  rule: jsonColumn(providerRule),
  sealedValue: z.string(),
  createdAt: z.number(),
});
type Provider = z.infer<typeof providerRow>;

/** The model providers of an account, and its default model. */
export class ModelProviders extends NamedRecords<"providerId", Provider, ModelProviderRecord> {
  protected override readonly table = "model_providers";
  protected override readonly key = "providerId";
  protected override readonly row = providerRow;
  protected override readonly secret = "sealedValue";
  protected override readonly limit = MAX_MODEL_PROVIDERS;
  readonly #kv: TableStorage["kv"];
  readonly #service: () => ModelEnvironment;

  /** `service` returns the models of the service. */
  constructor({ sql, kv }: Pick<TableStorage, "sql" | "kv">, service: () => ModelEnvironment) {
    super(sql);
    this.#kv = kv;
    this.#service = service;
  }

  protected override shown({ rule, sealedValue: _, createdAt, ...named }: Provider) {
    const { last4, updatedAt, ...given } = rule;
    return {
      ...named,
      ...given,
      apiKey: { set: true as const, last4 },
      createdAt: new Date(createdAt).toISOString(),
      updatedAt: new Date(updatedAt).toISOString(),
    };
  }

  add({ rule, ...provider }: StoredProvider, now: number) {
    return this.put({ ...provider, rule: { ...rule, updatedAt: now }, createdAt: now });
  }

  change(id: string, given: ProviderRule, sealedValue: string | null, now: number) {
    if (this.find(id) === null) return null;
    const rule = { ...given, updatedAt: now };
    return this.shown(this.changed(id, { rule, ...(sealedValue !== null && { sealedValue }) }));
  }

  override delete(id: string): boolean {
    const name = this.find(id)?.name;
    if (name !== undefined && this.defaultModel?.startsWith(`${name}/`)) this.defaultModel = null;
    return super.delete(id);
  }

  get defaultModel(): string | null {
    return storedDefault.parse(this.#kv.get(DEFAULT_KEY) ?? null);
  }

  set defaultModel(model: string | null) {
    this.#kv.put(DEFAULT_KEY, model);
  }

  models(): AccountModels {
    return { providers: this.list(), defaultModel: this.defaultModel };
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

  #chainOf({ model, fallbacks, isDefaultModel = false }: Asked) {
    const own = isDefaultModel ? this.defaultModel : null;
    return own === null ? { model, fallbacks } : { model: own, fallbacks: [] };
  }

  #place(): ModelEnvironment {
    return { ...this.#service(), providers: this.list() };
  }
}

import type { ModelProviderRecord, ModelTrial } from "../contract/model-providers.ts";
import type { UsableModels } from "../contract/models.ts";
import type { CreateModelProviderBody, UpdateModelProviderBody } from "./bodies.ts";
import type { CallOptions } from "./paging.ts";
import { Records } from "./resource.ts";
import type { Transport } from "./transport.ts";

/** The models that executions can ask. */
export class Models {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list({ signal }: CallOptions = {}): Promise<UsableModels> {
    return this.#transport.json({ method: "GET", path: "/models", signal });
  }

  /** Sets the model of executions that name none; null returns to the default of the service. */
  setDefault(model: string | null, { signal }: CallOptions = {}): Promise<UsableModels> {
    const path = "/models/default";
    return this.#transport.json({ method: "PUT", path, body: { model }, signal });
  }
}

/** The account's own providers of models. */
export class ModelProviders extends Records<
  "modelProviders",
  ModelProviderRecord,
  CreateModelProviderBody,
  UpdateModelProviderBody
> {
  constructor(transport: Transport) {
    super(transport, "/model-providers", "modelProviders");
  }

  /** Asks a model of the provider once. The provider charges for the call. */
  test(
    providerId: string,
    body: { model?: string } = {},
    { signal }: CallOptions = {},
  ): Promise<ModelTrial> {
    const path = this.at(providerId, "/test");
    return this.transport.json({ method: "POST", path, body, signal });
  }
}

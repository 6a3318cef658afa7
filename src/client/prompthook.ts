import { credits } from "../contract/account.ts";
import { Executions } from "./executions.ts";
import { Keys } from "./keys.ts";
import { type Fetch, Transport } from "./transport.ts";
import { Webhooks } from "./webhooks.ts";
import { Workflows } from "./workflows.ts";

export interface PrompthookOptions {
  /** Where the service is, such as `https://prompthook.example.workers.dev`. */
  baseUrl: string;
  /** An API key, `ph_live_...`. */
  apiKey: string;
  /** In place of the global `fetch`. */
  fetch?: Fetch;
}

/** A client of the service, for one account. */
export class Prompthook {
  readonly executions: Executions;
  readonly workflows: Workflows;
  readonly webhooks: Webhooks;
  readonly keys: Keys;
  readonly #transport: Transport;

  constructor({ fetch = (request) => globalThis.fetch(request), ...options }: PrompthookOptions) {
    this.#transport = new Transport({ ...options, fetch });
    this.executions = new Executions(this.#transport);
    this.workflows = new Workflows(this.#transport);
    this.webhooks = new Webhooks(this.#transport);
    this.keys = new Keys(this.#transport);
  }

  credits() {
    return this.#transport.json({ method: "GET", path: "/agent/credits" }, credits);
  }
}

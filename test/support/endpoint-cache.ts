import type { EndpointConfig } from "../../src/contract/webhooks/endpoint.ts";
import { EndpointCache, type Found } from "../../src/endpoints/endpoint-cache.ts";
import type { Endpoint } from "../../src/intake/types.ts";
import { configWith } from "./endpoint.ts";

/** An endpoint that asks for nothing, opened. */
export const opened = (config: EndpointConfig): Endpoint => ({
  config,
  token: null,
  hmac: null,
  headerValues: [],
});

/** A cache over a D1 that is a list of rows, under a clock that is set by hand. */
export class World {
  now = 1_000_000;
  rows: EndpointConfig[] = [];
  reads: string[] = [];
  isAway = false;
  /** Which addresses an endpoint could have. */
  possible: (address: string) => boolean = () => true;
  /** Reads wait for this, when it is set. */
  gate: Promise<void> | null = null;
  readonly locked = new Set<string>();
  readonly background: Promise<unknown>[] = [];
  readonly cache = new EndpointCache({
    now: () => this.now,
    keep: (work) => this.background.push(work),
  });

  async find(address: string): Promise<Found | null> {
    return await this.cache.find(address, {
      canExist: async (wanted) => this.possible(wanted),
      load: async (wanted) => {
        this.reads.push(wanted);
        const row = this.rows.find((each) => [each.endpointId, each.path].includes(wanted));
        const { isAway } = this;
        await this.gate;
        if (isAway) throw new Error("D1 is away");
        return row ?? null;
      },
      open: async (config) => (this.locked.has(config.endpointId) ? null : opened(config)),
    });
  }

  /** The version that is served at the address; null where nothing is. */
  async version(address: string): Promise<number | null> {
    const found = await this.find(address);
    return found?.endpoint?.config.version ?? null;
  }

  async settled(): Promise<void> {
    await Promise.all(this.background.splice(0));
  }

  /** Stores a row that D1 has; answers its id. */
  stored(changes: Partial<EndpointConfig> = {}): string {
    const config = configWith(changes);
    this.rows = [...this.rows.filter((row) => row.endpointId !== config.endpointId), config];
    return config.endpointId;
  }
}

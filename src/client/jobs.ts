import type * as z from "zod";
import type { replayForecast, replayRecord, retryForecast, retryRecord } from "../contract/jobs.ts";
import type { ReplaysBody, RetriesBody } from "./bodies.ts";
import type { CallOptions } from "./paging.ts";
import type { Transport } from "./transport.ts";

/** Replays of requests, or retries of executions: many at once, each once. */
export class Jobs<Body extends object, State, Forecast> {
  readonly #transport: Transport;
  readonly #path: string;

  constructor(transport: Transport, path: string) {
    this.#transport = transport;
    this.#path = path;
  }

  create(body: Body, { signal }: CallOptions = {}) {
    return this.#transport.json<State>({ method: "POST", path: this.#path, body, signal });
  }

  /** Returns what would happen. */
  dryRun(body: Body, { signal }: CallOptions = {}) {
    const request = { method: "POST", path: this.#path, body: { ...body, dryRun: true } } as const;
    return this.#transport.json<Forecast>({ ...request, signal });
  }

  get(id: string, { signal }: CallOptions = {}) {
    return this.#transport.json<State>({ method: "GET", path: this.#at(id), signal });
  }

  /** Starts nothing more. */
  cancel(id: string, { signal }: CallOptions = {}) {
    return this.#transport.none({ method: "DELETE", path: this.#at(id), signal });
  }

  #at(id: string): string {
    return `${this.#path}/${encodeURIComponent(id)}`;
  }
}

export type Replays = Jobs<
  ReplaysBody,
  z.output<typeof replayRecord>,
  z.output<typeof replayForecast>
>;
export type Retries = Jobs<
  RetriesBody,
  z.output<typeof retryRecord>,
  z.output<typeof retryForecast>
>;

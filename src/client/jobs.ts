import type * as z from "zod";
import type { replayForecast, replayRecord, retryForecast, retryRecord } from "../contract/jobs.ts";
import type { ReplaysBody, RetriesBody } from "./bodies.ts";
import type { CallOptions } from "./paging.ts";
import { Resource } from "./resource.ts";

/** Replays of requests, or retries of executions: many at once, each once. */
export class Jobs<Body extends object, State, Forecast> extends Resource {
  readonly get = this.reads<State>("");

  create(body: Body, options?: CallOptions): Promise<State> {
    return this.transport.post(this.path, body, options);
  }

  /** Returns what would happen. */
  dryRun(body: Body, options?: CallOptions): Promise<Forecast> {
    return this.transport.post(this.path, { ...body, dryRun: true }, options);
  }

  /** Starts nothing more. */
  cancel(id: string, { signal }: CallOptions = {}): Promise<void> {
    return this.transport.delete(this.at(id), { signal });
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

import * as z from "zod";
import { triggerAccepted } from "../contract/account.ts";
import {
  type createScheduleBody,
  type ScheduleRecord,
  scheduleRecord,
  type updateScheduleBody,
} from "../contract/schedule.ts";
import type { RepeatableOptions } from "./executions.ts";
import { type CallOptions, eachPage, type PageQuery } from "./paging.ts";
import type { Transport } from "./transport.ts";

const page = z.object({ schedules: z.array(scheduleRecord), nextCursor: z.string().nullable() });

/** Schedules: workflows that run at set times. */
export class Schedules {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(body: z.input<typeof createScheduleBody>, { signal }: CallOptions = {}) {
    const request = { method: "POST", path: "/schedules", body, signal } as const;
    return this.#transport.json(request, scheduleRecord);
  }

  list(query: PageQuery = {}, { signal }: CallOptions = {}) {
    const request = { method: "GET", path: "/schedules", query: { ...query }, signal } as const;
    return this.#transport.json(request, page);
  }

  /** Iterates over all of them, newest first, page by page. */
  async *all(options: CallOptions = {}): AsyncGenerator<ScheduleRecord, void, void> {
    const read = (place: PageQuery) => this.list({ ...place, limit: 100 }, options);
    for await (const { schedules } of eachPage(read)) yield* schedules;
  }

  get(scheduleId: string, { signal }: CallOptions = {}) {
    const request = { method: "GET", path: at(scheduleId), signal } as const;
    return this.#transport.json(request, scheduleRecord);
  }

  update(
    scheduleId: string,
    body: z.input<typeof updateScheduleBody>,
    { signal }: CallOptions = {},
  ) {
    const request = { method: "PATCH", path: at(scheduleId), body, signal } as const;
    return this.#transport.json(request, scheduleRecord);
  }

  delete(scheduleId: string, { signal }: CallOptions = {}) {
    return this.#transport.none({ method: "DELETE", path: at(scheduleId), signal });
  }

  /** Starts an execution now. Generates an idempotency key unless you pass one. */
  run(scheduleId: string, { idempotencyKey, signal }: RepeatableOptions = {}) {
    const request = {
      method: "POST",
      path: `${at(scheduleId)}/run`,
      idempotencyKey: idempotencyKey ?? this.#transport.options.runtime.randomId(),
      signal,
    } as const;
    return this.#transport.json(request, triggerAccepted);
  }
}

function at(scheduleId: string): string {
  return `/schedules/${encodeURIComponent(scheduleId)}`;
}

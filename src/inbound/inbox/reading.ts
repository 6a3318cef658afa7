import type { LoggedRequest, LogPosition, LogQuery } from "../../contract/inbound/inbox.ts";
import type { LogEntry } from "../../contract/inbound/log.ts";
import type { Configs } from "./configs.ts";
import { type Listing, positionOf } from "./listing.ts";
import type { RequestLog } from "./log.ts";
import type { View } from "./view.ts";

/** How many bytes of bodies one answer carries; a call between objects takes 32 MiB. */
const ANSWER_BYTES = 8 * 1_048_576;

/** Answers what others ask of the log. */
export class Reading {
  readonly #configs: Configs;
  readonly #log: RequestLog;
  readonly #listing: Listing;
  readonly #view: View;

  constructor(configs: Configs, log: RequestLog, listing: Listing, view: View) {
    this.#configs = configs;
    this.#log = log;
    this.#listing = listing;
    this.#view = view;
  }

  list(query: LogQuery): { entries: LogEntry[]; next: LogPosition | null } {
    const { endpointId } = this.#configs.current;
    const { seqs, next } = this.#listing.page(query);
    const entries = seqs.flatMap((seq) => {
      const row = this.#log.at(seq);
      return row === null ? [] : [this.#view.listed(endpointId, row)];
    });
    return { entries, next };
  }

  entry(requestId: string): LoggedRequest | null {
    const row = this.#log.byId(requestId);
    return row === null ? null : this.#view.logged(this.#configs.current.endpointId, row);
  }

  recent(
    limit: number,
    after: LogPosition | null,
  ): { requests: LoggedRequest[]; next: LogPosition | null } {
    const { endpointId } = this.#configs.current;
    const { places, next } = this.#listing.recent(limit, after);
    const requests: LoggedRequest[] = [];
    let bytes = 0;
    let last = after;
    for (const place of places) {
      const row = this.#log.at(place.seq);
      if (row === null) continue;
      const one = this.#view.logged(endpointId, row);
      bytes += one.request.body?.byteLength ?? 0;
      if (requests.length > 0 && bytes > ANSWER_BYTES) return { requests, next: last };
      requests.push(one);
      last = positionOf(place);
    }
    return { requests, next };
  }
}

import type { Slice, WorkItem } from "../../contract/inbound/inbox.ts";
import type { Configs } from "./configs.ts";
import type { EntryRow } from "./entry.ts";
import type { RequestLog } from "./log.ts";
import type { View } from "./view.ts";
import type { ReadyRow } from "./work.ts";

/** How many bytes of bodies and inputs one slice carries; a call between objects takes 32 MiB. */
const SLICE_BYTES = 8 * 1_048_576;

/** Puts together what the starting of requests needs. */
export class Slices {
  readonly #log: RequestLog;
  readonly #view: View;
  readonly #configs: Configs;

  constructor(log: RequestLog, view: View, configs: Configs) {
    this.#log = log;
    this.#view = view;
    this.#configs = configs;
  }

  /** The first of these, as many as one answer carries, and at least one. */
  of(ready: readonly ReadyRow[]): Slice {
    const items: WorkItem[] = [];
    let bytes = 0;
    for (const work of ready) {
      const entry = this.#log.at(work.seq);
      if (entry === null) throw new Error("work without an entry");
      const item = this.#item(work, entry);
      bytes += sizeOf(item);
      if (items.length > 0 && bytes > SLICE_BYTES) break;
      items.push(item);
    }
    const versions = new Set(items.map(({ configVersion }) => configVersion));
    return {
      configs: this.#configs.at([...versions]),
      items,
      more: items.length < ready.length,
    };
  }

  #item(work: ReadyRow, entry: EntryRow): WorkItem {
    const inputs = this.#view.inputs(entry);
    return {
      requestId: entry.request_id,
      executionId: work.execution_id,
      origin: entry.facts.replayOf === null ? "webhook" : "replay",
      configVersion: work.config_version,
      work:
        inputs === null
          ? { kind: "unmapped", request: this.#view.request(entry) }
          : { kind: "mapped", inputs },
    };
  }
}

function sizeOf({ work }: WorkItem): number {
  return work.kind === "mapped"
    ? JSON.stringify(work.inputs).length
    : (work.request.body?.byteLength ?? 0);
}

import * as z from "zod";
import type { TableSql } from "../durable/storage.ts";
import { slotOf, slotsInUse } from "../lib/execution-id.ts";

const idRow = z.object({ execution_id: z.string() });

/** The live executions of each host, so that new ones go where the fewest are: a host has few connections. */
export class HostLoads {
  readonly #bySlot = new Map<number, number>();

  constructor(sql: TableSql) {
    for (const row of sql
      .exec("SELECT execution_id FROM executions WHERE used IS NULL")
      .toArray()) {
      this.accepted(idRow.parse(row).execution_id);
    }
  }

  /** Returns the slot for the next execution of an account that runs `live` others. */
  leastLoaded(live: number): number {
    const slots = slotsInUse(live + 1);
    let best = 0;
    for (let slot = 1; slot < slots; slot += 1) {
      if (this.#of(slot) < this.#of(best)) best = slot;
    }
    return best;
  }

  /** Returns the slots for the next `count` executions of an account that runs `live` others. */
  next(live: number, count: number): number[] {
    const loads = Array.from({ length: slotsInUse(live + count) }, (_, slot) => this.#of(slot));
    return Array.from({ length: count }, () => {
      const slot = loads.indexOf(Math.min(...loads));
      loads[slot] = (loads[slot] ?? 0) + 1;
      return slot;
    });
  }

  /** Notes that an execution was accepted. */
  accepted(executionId: string): void {
    const slot = slotOf(executionId);
    this.#bySlot.set(slot, this.#of(slot) + 1);
  }

  /** Notes that an execution has ended. */
  ended(executionId: string): void {
    const slot = slotOf(executionId);
    const left = this.#of(slot) - 1;
    if (left > 0) this.#bySlot.set(slot, left);
    else this.#bySlot.delete(slot);
  }

  #of(slot: number): number {
    return this.#bySlot.get(slot) ?? 0;
  }
}

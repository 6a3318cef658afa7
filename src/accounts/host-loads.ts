import * as z from "zod";
import { type ExecutionStatus, executionStatus, isFinal } from "../contract/execution.ts";
import { rowsOf, type TableSql } from "../durable/rows.ts";
import { slotOf, slotsInUse } from "../lib/execution-id.ts";

const liveRow = z.object({ execution_id: z.string(), status: executionStatus.catch("active") });

/**
 * An execution that waits for input needs no connection, and a host in memory takes more than its sessions:
 * so many that wait count as one that runs.
 */
const RUNNING = 16;
const WAITING = 1;

/** The live executions of each host, so that new ones go where the fewest run: a host has few connections. */
export class HostLoads {
  readonly #bySlot = new Map<number, number>();
  readonly #waiting = new Set<string>();
  #total = 0;

  constructor(sql: TableSql) {
    const live =
      "SELECT execution_id, row ->> 'status' AS status FROM executions WHERE used IS NULL";
    for (const { execution_id: executionId, status } of rowsOf(sql, liveRow, live)) {
      this.accepted(executionId);
      this.reported(executionId, status);
    }
  }

  /** The number of hosts with executions that run. */
  get running(): number {
    const loads = new Map(this.#bySlot);
    for (const id of this.#waiting) loads.set(slotOf(id), (loads.get(slotOf(id)) ?? 0) - WAITING);
    return [...loads.values()].filter((load) => load > 0).length;
  }

  /** The slots of the hosts with executions that have not ended. */
  get slots(): number[] {
    return [...this.#bySlot.keys()];
  }

  /** Returns the slots for the next `count` executions. */
  next(count: number): number[] {
    const slots = slotsInUse(this.#total / RUNNING + count);
    const loads = Array.from({ length: slots }, (_, slot) => this.#of(slot));
    return Array.from({ length: count }, () => {
      const slot = loads.indexOf(Math.min(...loads));
      loads[slot] = (loads[slot] ?? 0) + RUNNING;
      return slot;
    });
  }

  /** Notes that an execution was accepted. */
  accepted(executionId: string): void {
    this.#add(executionId, RUNNING);
  }

  /** Notes the new status of an execution that had not ended. */
  reported(executionId: string, status: ExecutionStatus): void {
    const before = this.#waiting.delete(executionId) ? WAITING : RUNNING;
    if (isFinal(status)) {
      this.#add(executionId, -before);
      return;
    }
    const isWaiting = status === "waiting_for_input";
    if (isWaiting) this.#waiting.add(executionId);
    this.#add(executionId, (isWaiting ? WAITING : RUNNING) - before);
  }

  #add(executionId: string, load: number): void {
    const slot = slotOf(executionId);
    this.#total += load;
    const sum = this.#of(slot) + load;
    if (sum > 0) this.#bySlot.set(slot, sum);
    else this.#bySlot.delete(slot);
  }

  #of(slot: number): number {
    return this.#bySlot.get(slot) ?? 0;
  }
}

import { type KeptEffect, keptEffect } from "../../contract/backup.ts";
import { History } from "./history.ts";
import { Journal, type JournalStorage } from "./journal.ts";

/** Returns the effects that the executions of a host had, or may have had, since a time in epoch milliseconds. */
export function effectsSince(storage: JournalStorage, since: number): KeptEffect[] {
  return storage.sql
    .exec("SELECT execution_id FROM heads WHERE head ->> '$.state.updatedAt' >= ?", since)
    .toArray()
    .flatMap(({ execution_id: id }) => {
      const executionId = String(id);
      return History.read(new Journal(storage, executionId))
        .effects.filter(({ at, state }) => state !== "failed" && Date.parse(at) >= since)
        .map((effect) => keptEffect.parse({ executionId, ...effect }));
    });
}

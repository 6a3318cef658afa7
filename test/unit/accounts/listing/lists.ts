import type { ListSources } from "../../../../src/accounts/listing.ts";
import type { ListPosition, ListQuery } from "../../../../src/contract/account.ts";
import type { ExecutionRow, ExecutionStatus } from "../../../../src/contract/execution.ts";
import type { StoredPage } from "../../../../src/records/executions.ts";
import { START } from "../../../support/execution.ts";

export interface Row {
  id: string;
  createdAt: number;
  status: ExecutionStatus;
  version: number;
}

function rowOf({ id, createdAt, status, version }: Row): ExecutionRow {
  return {
    executionId: id,
    status,
    statusDetail: "running",
    version,
    promptPreview: "",
    summary: null,
    creditsConsumed: 0,
    origin: "api",
    workflowId: null,
    metadata: {},
    createdAt: new Date(START + createdAt).toISOString(),
    updatedAt: new Date(START).toISOString(),
    finishedAt: null,
  };
}

const before = (row: Row, position: ListPosition | null) =>
  position === null ||
  START + row.createdAt < position.createdAt ||
  (START + row.createdAt === position.createdAt && row.id < position.executionId);

export const newestFirst = (a: Row, b: Row) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);

const placeOf = ({ createdAt, executionId }: ExecutionRow): ListPosition => ({
  createdAt: Date.parse(createdAt),
  executionId,
});

/** An account with what it remembers, and the D1 that follows it. `whileAsked` happens before D1 answers. */
export class Lists implements ListSources {
  readonly truth = new Map<string, Row>();
  readonly remembered = new Set<string>();
  readonly stored = new Map<string, Row>();
  /** What D1 has of these cannot be read. */
  readonly unreadable = new Set<string>();
  /** How often D1 was asked. */
  asked = 0;
  statuses: ExecutionStatus[] = [];
  whileAsked: (() => void) | null = null;

  accept(row: Row): void {
    this.truth.set(row.id, row);
    this.remembered.add(row.id);
  }

  /** The execution moves on; the account hears of it first. */
  change(id: string, status: ExecutionStatus): void {
    const row = this.truth.get(id);
    if (row !== undefined) this.accept({ ...row, status, version: row.version + 1 });
  }

  /** D1 gets the row; the account still remembers it. */
  project(id: string): void {
    const row = this.truth.get(id);
    if (row !== undefined) this.stored.set(id, row);
  }

  /** The account drops a row that D1 has. */
  forget(id: string): void {
    if (this.stored.get(id)?.version === this.truth.get(id)?.version) this.remembered.delete(id);
  }

  unconfirmed(query: ListQuery, limit: number): ExecutionRow[] {
    return this.#select(this.#remembered(), query.cursor, limit);
  }

  unconfirmedAmong(ids: readonly string[]): Set<string> {
    return new Set(ids.filter((id) => this.remembered.has(id)));
  }

  async confirmed(position: ListPosition | null, limit: number): Promise<StoredPage> {
    this.asked += 1;
    const found = this.#select([...this.stored.values()], position, limit);
    this.whileAsked?.();
    this.whileAsked = null;
    const last = found.length < limit ? undefined : found.at(-1);
    return {
      rows: found.filter(({ executionId }) => !this.unreadable.has(executionId)),
      next: last === undefined ? null : placeOf(last),
    };
  }

  #remembered(): Row[] {
    return [...this.truth.values()].filter(({ id }) => this.remembered.has(id));
  }

  #select(rows: Row[], position: ListPosition | null, limit: number): ExecutionRow[] {
    const passes = ({ status }: Row) =>
      this.statuses.length === 0 || this.statuses.includes(status);
    return rows
      .filter((row) => passes(row) && before(row, position))
      .sort(newestFirst)
      .slice(0, limit)
      .map(rowOf);
  }
}

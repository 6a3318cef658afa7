/** The SQL of an object, as far as tables need it. */
export interface TableSql {
  exec(
    query: string,
    ...bindings: (SqlStorageValue | Uint8Array)[]
  ): {
    toArray(): Record<string, SqlStorageValue>[];
    one(): Record<string, SqlStorageValue>;
  };
}

/** The part of an object's storage that its tables and keys need. */
export interface TableStorage {
  sql: TableSql;
  kv: {
    get(key: string): unknown;
    put(key: string, value: unknown): void;
    delete(key: string): unknown;
  };
  transactionSync<T>(change: () => T): T;
}

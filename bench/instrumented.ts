import { Account as RealAccount } from "../src/accounts/account.ts";
import { EndpointInbox as RealInbox } from "../src/endpoints/inbox.ts";
import { SessionHost as RealHost } from "../src/executions/host.ts";
import service from "../src/index.ts";

/**
 * The service with its bindings wrapped: it counts what an execution costs. Only the bench builds it.
 */

/** What the service did to its surroundings since the last reset. */
export interface Counters {
  /** Objects that were called or had an alarm. */
  objects: number;
  objectRequests: number;
  alarms: number;
  objectRowsRead: number;
  objectRowsWritten: number;
  /**
   * Durable commits of objects: a turn of an object that writes anything (a row, a key, its alarm) is
   * committed as one, and what the object sends waits for it at the output gate. Commits of the platform
   * itself (it clears an alarm that has fired), of D1 and of queues are left out.
   */
  flushes: number;
  /**
   * Those until a final status was first stored, the commit that stores it included. When one execution
   * was all that the service had to do, they are the ones between the trigger's arrival and its end.
   */
  flushesOnPath: number;
  d1Queries: number;
  d1RowsRead: number;
  d1RowsWritten: number;
  queueMessagesSent: number;
  queueMessagesReceived: number;
}

const zero: Omit<Counters, "objects" | "flushes" | "flushesOnPath"> = {
  objectRequests: 0,
  alarms: 0,
  objectRowsRead: 0,
  objectRowsWritten: 0,
  d1Queries: 0,
  d1RowsRead: 0,
  d1RowsWritten: 0,
  queueMessagesSent: 0,
  queueMessagesReceived: 0,
};
const counters = { ...zero };

/** The ids of objects that had work since the last reset. */
const objects = new Set<string>();
/** The ids of the objects that made commits, in their order. */
const commits: string[] = [];
/** The number of commits up to the first that stores a final status. */
let commitsToEnd = 0;

const handlers: Required<Pick<ExportedHandler<CloudflareEnv>, "fetch" | "queue">> = service;

export class Account extends RealAccount {
  constructor(state: DurableObjectState, env: CloudflareEnv) {
    super(watchState(state), wrap(env));
  }

  override alarm(...args: Parameters<RealAccount["alarm"]>) {
    countAlarm(this.ctx);
    return super.alarm(...args);
  }
}

export class SessionHost extends RealHost {
  constructor(state: DurableObjectState, env: CloudflareEnv) {
    super(watchState(state), wrap(env));
  }

  override alarm(...args: Parameters<RealHost["alarm"]>) {
    countAlarm(this.ctx);
    return super.alarm(...args);
  }
}

export class EndpointInbox extends RealInbox {
  constructor(state: DurableObjectState, env: CloudflareEnv) {
    super(watchState(state), wrap(env));
  }

  override alarm(...args: Parameters<RealInbox["alarm"]>) {
    countAlarm(this.ctx);
    return super.alarm(...args);
  }
}

function countAlarm({ id }: DurableObjectState): void {
  counters.alarms += 1;
  objects.add(id.toString());
}

export default {
  async fetch(request, env, context) {
    if (new URL(request.url).pathname === "/__instruments") return instruments(request);
    return handlers.fetch(request, wrap(env), context);
  },
  async queue(batch, env, context) {
    counters.queueMessagesReceived += batch.messages.length;
    return handlers.queue(batch, wrap(env), context);
  },
} satisfies ExportedHandler<CloudflareEnv>;

/** GET tells the counters, DELETE resets them. */
function instruments(request: Request): Response {
  if (request.method === "DELETE") {
    Object.assign(counters, zero);
    objects.clear();
    cursors.length = 0;
    commits.length = 0;
    commitsToEnd = 0;
  }
  const now: Counters = {
    ...counters,
    ...objectRows(),
    objects: objects.size,
    flushes: commits.length,
    flushesOnPath: commitsToEnd,
  };
  return Response.json(now);
}

const wrapped = new WeakMap<object, CloudflareEnv>();

/** Wraps every binding of an environment. */
function wrap(env: CloudflareEnv): CloudflareEnv {
  const known = wrapped.get(env);
  if (known) return known;
  const made = {
    ...env,
    ACCOUNT: countCalls(env.ACCOUNT),
    SESSION_HOST: countCalls(env.SESSION_HOST),
    INBOX: countCalls(env.INBOX),
    DB: watchDatabase(env.DB),
    CALLBACKS: watchQueue(env.CALLBACKS),
    INBOUND: watchQueue(env.INBOUND),
  };
  wrapped.set(env, made);
  return made;
}

/** The same object with some methods replaced; all others keep working on the original. */
function override<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get(_, name) {
      if (Object.hasOwn(methods, name)) return Reflect.get(methods, name);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function countCalls<T extends Rpc.DurableObjectBranded>(
  namespace: DurableObjectNamespace<T>,
): DurableObjectNamespace<T> {
  return override(namespace, {
    getByName: (name, options) => {
      const stub = namespace.getByName(name, options);
      const id = stub.id.toString();
      return new Proxy(stub, {
        get(_, method) {
          const value: unknown = Reflect.get(stub, method, stub);
          if (typeof value !== "function") return value;
          return (...args: unknown[]) => {
            counters.objectRequests += 1;
            objects.add(id);
            return Reflect.apply(value, stub, args);
          };
        },
      });
    },
  });
}

/** What statements of the objects read and wrote is told by their cursors, also while they are read. */
const cursors: Pick<
  SqlStorageCursor<Record<string, SqlStorageValue>>,
  "rowsRead" | "rowsWritten"
>[] = [];

function objectRows(): Pick<Counters, "objectRowsRead" | "objectRowsWritten"> {
  return {
    objectRowsRead: cursors.reduce((sum, { rowsRead }) => sum + rowsRead, counters.objectRowsRead),
    objectRowsWritten: cursors.reduce(
      (sum, { rowsWritten }) => sum + rowsWritten,
      counters.objectRowsWritten,
    ),
  };
}

/**
 * Watches an object's storage, in place: the platform takes no other object for a state. A key that is
 * put or deleted, and an alarm that is set, is a row written each, as Cloudflare counts.
 */
function watchState(state: DurableObjectState): DurableObjectState {
  const { storage } = state;
  const { sql, kv } = storage;
  const id = state.id.toString();
  let isCommitting = false;
  const noteWrite = () => {
    if (isCommitting) return;
    isCommitting = true;
    commits.push(id);
    const reset = () => {
      isCommitting = false;
    };
    storage.sync().then(reset, reset);
  };
  const exec = sql.exec.bind(sql);
  replace(sql, "exec", (query: string, ...bindings: SqlStorageValue[]) => {
    const cursor = exec(query, ...bindings);
    cursors.push(cursor);
    if (cursor.rowsWritten > 0) noteWrite();
    if (commitsToEnd === 0 && bindings.some(isFinalState)) commitsToEnd = commits.length;
    return cursor;
  });
  const counted =
    <Args extends unknown[], Result>(write: (...args: Args) => Result) =>
    (...args: Args) => {
      const result = write(...args);
      counters.objectRowsWritten += 1;
      noteWrite();
      return result;
    };
  replace(kv, "put", counted(kv.put.bind(kv)));
  replace(kv, "delete", counted(kv.delete.bind(kv)));
  replace(storage, "setAlarm", counted(storage.setAlarm.bind(storage)));
  return state;
}

/** Whether a stored value is the state of an execution that has ended. */
function isFinalState(value: SqlStorageValue): boolean {
  return typeof value === "string" && /"status":"(?:completed|failed|stopped)"/.test(value);
}

function replace<T extends object, Name extends keyof T>(object: T, name: Name, value: unknown) {
  Object.defineProperty(object, name, { value });
}

const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();

function watchDatabase(database: D1Database): D1Database {
  return override(database, {
    ...watchQueries(database),
    withSession: (constraint) => {
      const session = database.withSession(constraint);
      return override(session, watchQueries(session));
    },
  });
}

function watchQueries(
  database: Pick<D1Database, "prepare" | "batch">,
): Pick<D1Database, "prepare" | "batch"> {
  return {
    prepare: (query) => watchStatement(database.prepare(query)),
    batch: async <T>(statements: D1PreparedStatement[]) => {
      const results = await database.batch<T>(
        statements.map((statement) => originals.get(statement) ?? statement),
      );
      for (const { meta } of results) countRows(meta);
      return results;
    },
  };
}

function watchStatement(statement: D1PreparedStatement): D1PreparedStatement {
  async function all<T>(): Promise<D1Result<T>> {
    const result = await statement.all<T>();
    countRows(result.meta);
    return result;
  }
  const watched = override(statement, {
    bind: (...values) => watchStatement(statement.bind(...values)),
    all,
    run: all,
    // `raw` tells no counts, so it is made of `all`; the service selects no column twice.
    raw: async () => (await all<object>()).results.map(Object.values),
    first: async (column?: string) => {
      const row = (await all<object>()).results[0] ?? null;
      return column === undefined || row === null ? row : Reflect.get(row, column);
    },
  } as Partial<D1PreparedStatement>);
  originals.set(watched, statement);
  return watched;
}

function countRows(meta: D1Meta): void {
  counters.d1Queries += 1;
  counters.d1RowsRead += meta.rows_read;
  counters.d1RowsWritten += meta.rows_written;
}

function watchQueue(queue: Queue): Queue {
  return override(queue, {
    send: async (message, options) => {
      counters.queueMessagesSent += 1;
      return queue.send(message, options);
    },
    sendBatch: async (messages, options) => {
      const batch = [...messages];
      counters.queueMessagesSent += batch.length;
      return queue.sendBatch(batch, options);
    },
  });
}

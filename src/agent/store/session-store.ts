import * as z from "zod";
import type { Turn } from "../../contract/conversation.ts";
import { type ExecutionEvent, executionEvent } from "../../contract/events.ts";
import { type Effect, effect, type Source, source } from "../../contract/execution.ts";
import { jsonObject } from "../../contract/json.ts";
import { type ExecutionSeed, executionSeed } from "../../contract/session.ts";
import type { ToolAnswer } from "../../contract/tools/call.ts";
import { isLong, LongTexts } from "../../durable/long-texts.ts";
import { isInitialised, migrate } from "../../durable/schema.ts";
import { type MachineState, machineState } from "../machine/state.ts";
import type { EffectState, Fact } from "../machine/transition.ts";
import type { RemoteTool } from "../ports/mcp.ts";
import type { NewOutput } from "../tools/tool.ts";
import { Outputs } from "./outputs.ts";
import { Turns } from "./turns.ts";

/** The migrations of an execution's tables; see `durable/schema.ts`. Append-only. */
export const SESSION_SCHEMA = [
  `
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY, type TEXT NOT NULL, at INTEGER NOT NULL, version INTEGER NOT NULL,
    data TEXT NOT NULL
  );
  CREATE TABLE turns (idx INTEGER PRIMARY KEY, turn TEXT NOT NULL);
  CREATE TABLE evidence (
    call_id TEXT PRIMARY KEY, sources TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE outputs (idx INTEGER PRIMARY KEY, output_id TEXT NOT NULL, output TEXT NOT NULL);
  CREATE TABLE output_chunks (
    output_id TEXT NOT NULL, idx INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (output_id, idx)
  ) WITHOUT ROWID;
  CREATE TABLE effects (
    effect_id TEXT PRIMARY KEY, tool TEXT NOT NULL, target TEXT NOT NULL, state TEXT NOT NULL,
    at INTEGER NOT NULL
  );
  CREATE TABLE message_replies (
    key TEXT PRIMARY KEY, body_hash TEXT NOT NULL, reply TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE deliveries (
    delivery_id TEXT PRIMARY KEY, event TEXT NOT NULL, webhook_id TEXT NOT NULL, url TEXT NOT NULL,
    snapshot TEXT, state TEXT NOT NULL, attempt INTEGER NOT NULL, event_at INTEGER NOT NULL,
    check_at INTEGER NOT NULL, sends INTEGER NOT NULL, leased INTEGER NOT NULL
  );
  CREATE TABLE attempts (
    idx INTEGER PRIMARY KEY, delivery_id TEXT NOT NULL, attempt TEXT NOT NULL
  );
  `,
  // The call that made an output, so that a later call can attach its files.
  "ALTER TABLE outputs ADD COLUMN call_id TEXT",
  `
  CREATE TABLE remote_tools (
    idx INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, remote_name TEXT NOT NULL,
    server_id TEXT NOT NULL, server TEXT NOT NULL, description TEXT NOT NULL,
    input_schema TEXT NOT NULL, read_only INTEGER NOT NULL
  );
  `,
] as const;

const eventRow = z.object({
  seq: z.number(),
  type: z.string(),
  at: z.number(),
  version: z.number(),
  data: z.string(),
});
const effectRow = z.object({
  effect_id: z.string(),
  tool: z.string(),
  target: z.string(),
  state: z.string(),
  at: z.number(),
});

/** The key of a seed that is too long for one value. */
const LONG_SEED = "longSeed";

/** The most sources of one answer or output: even with long addresses they fit in a row. */
const MAX_SOURCES = 200;

/** Stores one execution: its seed, state, log, conversation and outputs. */
export class SessionStore {
  readonly outputs: Outputs;
  readonly #storage: DurableObjectStorage;
  readonly #turns: Turns;
  #lastSeq: number | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.outputs = new Outputs(storage.sql);
    this.#turns = new Turns(storage.sql);
    if (isInitialised(storage)) storage.transactionSync(() => migrate(storage, SESSION_SCHEMA));
  }

  /** Returns the stored execution, or null if this object has none. */
  load(): { seed: ExecutionSeed; state: MachineState } | null {
    if (!isInitialised(this.#storage)) return null;
    const { kv } = this.#storage;
    const long = new LongTexts(kv).get(LONG_SEED);
    return {
      seed: executionSeed.parse(long === null ? kv.get("seed") : JSON.parse(long)),
      state: machineState.parse(kv.get("state")),
    };
  }

  /** Stores a new execution. Call it within a transaction. */
  create(seed: ExecutionSeed): void {
    migrate(this.#storage, SESSION_SCHEMA);
    const { kv } = this.#storage;
    const text = JSON.stringify(seed);
    if (isLong(text)) new LongTexts(kv).put(LONG_SEED, text);
    else kv.put("seed", seed);
  }

  /** Stores a state with its facts. Call it within a transaction. */
  save(state: MachineState, facts: readonly Fact[], now: number): void {
    this.#storage.kv.put("state", state);
    for (const fact of facts) this.#saveFact(fact, state.version, now);
  }

  turns(): readonly Turn[] {
    return this.#turns.all();
  }

  /** Returns the complete answer of a call, or null. */
  answer(callId: string): ToolAnswer | null {
    for (const turn of this.turns()) {
      if (turn.role === "tool" && turn.callId === callId) return turn.answer;
    }
    return null;
  }

  events(after: number, limit: number): ExecutionEvent[] {
    return this.#rows(
      "SELECT seq, type, at, version, data FROM events WHERE seq > ? ORDER BY seq LIMIT ?",
      after,
      limit,
    ).map((row) => {
      const { at, data, ...rest } = eventRow.parse(row);
      return executionEvent.parse({
        ...rest,
        at: new Date(at).toISOString(),
        data: JSON.parse(data),
      });
    });
  }

  lastSeq(): number {
    this.#lastSeq ??= z
      .object({ seq: z.number() })
      .parse(this.#rows("SELECT coalesce(max(seq), 0) AS seq FROM events")[0]).seq;
    return this.#lastSeq;
  }

  effects(): Effect[] {
    return this.#rows("SELECT effect_id, tool, target, state, at FROM effects ORDER BY rowid").map(
      (row) => {
        const { effect_id, at, ...rest } = effectRow.parse(row);
        return effect.parse({ ...rest, effectId: effect_id, at: new Date(at).toISOString() });
      },
    );
  }

  /** Drops everything cached in memory. */
  forget(): void {
    this.#turns.forget();
    this.#lastSeq = null;
  }

  #saveFact(fact: Fact, version: number, now: number): void {
    switch (fact.kind) {
      case "event":
        this.#appendEvent(fact.type, fact.data, version, now);
        return;
      case "turn":
        this.#turns.append(fact.turn);
        return;
      case "evidence":
        this.#saveEvidence(fact.callId, fact.url, fact.basedOn);
        return;
      case "output":
        this.#saveOutput(fact, version, now);
        return;
      case "effect":
        this.#saveEffect(fact, now);
        return;
      case "announce":
      case "abort":
        return;
      default:
        fact satisfies never;
    }
  }

  #appendEvent(type: string, data: unknown, version: number, now: number): void {
    const seq = this.lastSeq() + 1;
    this.#exec(
      "INSERT INTO events (seq, type, at, version, data) VALUES (?, ?, ?, ?, ?)",
      seq,
      type,
      now,
      version,
      JSON.stringify(data),
    );
    this.#lastSeq = seq;
  }

  /** Stores the answer's own event first, then the sources it is based on, each once. */
  #saveEvidence(callId: string, url: string | null, basedOn: string[]): void {
    const own: Source = { eventSeq: this.lastSeq(), ...(url === null ? {} : { url }) };
    const sources = [own, ...this.#sources(basedOn)].slice(0, MAX_SOURCES);
    this.#exec(
      "INSERT OR REPLACE INTO evidence (call_id, sources) VALUES (?, ?)",
      callId,
      JSON.stringify(sources),
    );
  }

  #sources(callIds: readonly string[]): Source[] {
    const bySeq = new Map<number, Source>();
    for (const callId of callIds) {
      const row = this.#rows("SELECT sources FROM evidence WHERE call_id = ?", callId)[0];
      if (row === undefined) continue;
      const { sources } = z.object({ sources: z.string() }).parse(row);
      for (const item of z.array(source).parse(JSON.parse(sources))) bySeq.set(item.eventSeq, item);
    }
    return [...bySeq.values()];
  }

  #saveOutput(
    { callId, basedOn, output }: { callId: string; basedOn: string[]; output: NewOutput },
    version: number,
    now: number,
  ): void {
    const named = this.#sources(basedOn);
    // The model wrote an output without sources: then its only source is the call that made it.
    const sources = (named.length === 0 ? this.#sources([callId]) : named).slice(0, MAX_SOURCES);
    const { outputId, label, type, nodeType } = this.outputs.add(output, { callId, sources, now });
    this.#appendEvent("output", { outputId, label, type, nodeType }, version, now);
  }

  #saveEffect(
    entry: { callId: string; tool: string; target: string; state: EffectState },
    now: number,
  ): void {
    this.#exec(
      `INSERT INTO effects (effect_id, tool, target, state, at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (effect_id) DO UPDATE SET state = excluded.state, at = excluded.at`,
      entry.callId,
      entry.tool,
      entry.target,
      entry.state,
      now,
    );
  }

  #rows(query: string, ...bindings: (string | number)[]): Record<string, SqlStorageValue>[] {
    return this.#storage.sql.exec(query, ...bindings).toArray();
  }

  #exec(query: string, ...bindings: SqlStorageValue[]): void {
    this.#storage.sql.exec(query, ...bindings);
  }
}

const DISCOVERED = "remoteTools";

const toolRow = z.object({
  name: z.string(),
  remote_name: z.string(),
  server_id: z.string(),
  server: z.string(),
  description: z.string(),
  input_schema: z.string().transform((text) => jsonObject.parse(JSON.parse(text))),
  read_only: z.number().transform((flag) => flag === 1),
});

/**
 * Stores the remote tools of an execution. They are stored once, so that the model has the same tools
 * in every step, even if the servers change them.
 */
export class RemoteTools {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Returns the discovered tools, or null before the discovery. */
  all(): RemoteTool[] | null {
    if (this.#storage.kv.get(DISCOVERED) === undefined) return null;
    return this.#storage.sql
      .exec("SELECT * FROM remote_tools ORDER BY idx")
      .toArray()
      .map((row) => {
        const { name, remote_name, server_id, server, ...rest } = toolRow.parse(row);
        return {
          name,
          remoteName: remote_name,
          serverId: server_id,
          server,
          description: rest.description,
          inputSchema: rest.input_schema,
          readOnly: rest.read_only,
        };
      });
  }

  /** Stores the discovered tools. Call it once, within a transaction. */
  save(tools: readonly RemoteTool[]): void {
    this.#storage.kv.put(DISCOVERED, true);
    for (const tool of tools) {
      this.#storage.sql.exec(
        `INSERT INTO remote_tools
           (name, remote_name, server_id, server, description, input_schema, read_only)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        tool.name,
        tool.remoteName,
        tool.serverId,
        tool.server,
        tool.description,
        JSON.stringify(tool.inputSchema),
        tool.readOnly ? 1 : 0,
      );
    }
  }
}

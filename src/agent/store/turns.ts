import * as z from "zod";
import type { Turn } from "../../contract/conversation.ts";
import { json } from "../../contract/json.ts";
import type { ToolAnswer } from "../../contract/tools/call.ts";

/** Stored answers of at least this many characters stay in storage: together they may exceed the memory. */
const LONG = 4_096;

const answer = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), content: json }),
  z.object({ ok: z.literal(false), error: z.object({ code: z.string(), message: z.string() }) }),
]);
const toolTurn = z.object({
  role: z.literal("tool"),
  callId: z.string(),
  tool: z.string(),
  answer,
});

/** A stored turn of the conversation. */
export const storedTurn: z.ZodType<Turn> = z.discriminatedUnion("role", [
  z.object({ role: z.literal("user"), text: z.string() }),
  z.object({
    role: z.literal("assistant"),
    text: z.string(),
    calls: z.array(z.object({ callId: z.string(), tool: z.string(), input: json })),
  }),
  toolTurn,
]);

const turnRow = z.object({ turn: z.string() });

/** Stores the conversation. It is cached in memory except for long answers, which are read on each use. */
export class Turns {
  readonly #sql: SqlStorage;
  #all: readonly Turn[] | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  all(): readonly Turn[] {
    this.#all ??= this.#load();
    return this.#all;
  }

  /** Adds a turn. Call it within a transaction. */
  append(turn: Turn): void {
    const before = this.all();
    const text = JSON.stringify(turn);
    this.#sql.exec("INSERT INTO turns (idx, turn) VALUES (?, ?)", before.length, text);
    this.#all = [...before, this.#kept(turn, before.length, text.length)];
  }

  /** Drops the cache. */
  forget(): void {
    this.#all = null;
  }

  #load(): Turn[] {
    const turns: Turn[] = [];
    // One row at a time: all of them together may not fit.
    for (const row of this.#sql.exec("SELECT turn FROM turns ORDER BY idx")) {
      const { turn } = turnRow.parse(row);
      turns.push(this.#kept(storedTurn.parse(JSON.parse(turn)), turns.length, turn.length));
    }
    return turns;
  }

  #kept(turn: Turn, idx: number, length: number): Turn {
    if (turn.role !== "tool" || length < LONG) return turn;
    const { role, callId, tool } = turn;
    const read = (): ToolAnswer => this.#answer(idx);
    return {
      role,
      callId,
      tool,
      get answer() {
        return read();
      },
    };
  }

  #answer(idx: number): ToolAnswer {
    const { turn } = turnRow.parse(
      this.#sql.exec("SELECT turn FROM turns WHERE idx = ?", idx).one(),
    );
    return toolTurn.parse(JSON.parse(turn)).answer;
  }
}

import type { NewOutput } from "../../agent/tools/tool.ts";
import { type KeptEffect, keptEffect } from "../../contract/backup.ts";
import type { CallbackAttempt } from "../../contract/callbacks.ts";
import type { ModelTry, TaskFile, Turn } from "../../contract/conversation.ts";
import { type Effect, effect, idempotencyKeyOf } from "../../contract/execution.ts";
import { fileCallId, type StoredFile } from "../../contract/files.ts";
import { type Source, type StoredOutput, storedOutput } from "../../contract/outputs.ts";
import type { ExecutionSeed, MessageAccepted } from "../../contract/session.ts";
import type { OutputFile, ToolAnswer } from "../../contract/tools/call.ts";
import type { RemoteTool } from "../../ports/mcp.ts";
import { answerOfFile } from "../documents.ts";
import type { Fact } from "../machine/transition.ts";
import { CutReads, cutFiles } from "./cut-reads.ts";
import type { StoredFact } from "./facts.ts";
import { Journal, type JournalPosition, type JournalStorage } from "./journal.ts";

/** Answers of at least this many characters stay in storage: together they may exceed the memory. */
const LONG_ANSWER = 4_096;
/** The most sources of one answer or output: even with long addresses they fit in a row. */
const MAX_SOURCES = 200;

/** Where a fact is stored. */
interface FactPlace {
  seq: number;
  index: number;
}

/** The reply to an earlier message, and the content that a repeat of it must have. */
export interface EarlierReply {
  content: string;
  body: MessageAccepted;
}

/**
 * What happened in one execution, folded from its journal. Long answers, outputs and files stay in
 * storage and are read on each use.
 */
export class History {
  readonly #journal: Journal;
  readonly #turns: Turn[] = [];
  readonly #answers = new Map<string, Turn & { role: "tool" }>();
  readonly #evidence = new Map<string, readonly Source[]>();
  readonly #cutReads = new CutReads();
  readonly #outputs: (FactPlace & { outputId: string; callId: string; isFile: boolean })[] = [];
  readonly #effects = new Map<string, Effect>();
  readonly #replies = new Map<string, EarlierReply>();
  readonly #attempts: CallbackAttempt[] = [];
  readonly #tries: ModelTry[] = [];
  #tools: readonly RemoteTool[] | null = null;
  #taskFiles: TaskFile[] = [];
  /** Found at the first use: documents are read after the acceptance. */
  #cutFiles: ReadonlyMap<string, readonly Source[]> | null = null;

  /** The history of an execution that has no entries yet. */
  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Folds the stored journal. */
  static read(journal: Journal): History {
    const history = new History(journal);
    for (const { seq, entry } of journal.entries()) history.add(seq, entry.at, entry.facts);
    return history;
  }

  /** The conversation. */
  get turns(): readonly Turn[] {
    return this.#turns;
  }

  /** The discovered remote tools, or null before their discovery. */
  get remoteTools(): readonly RemoteTool[] | null {
    return this.#tools;
  }

  /** The calls of models. */
  get tries(): readonly ModelTry[] {
    return this.#tries;
  }

  get attempts(): readonly CallbackAttempt[] {
    return this.#attempts;
  }

  /** The ledger, in the order in which the effects were begun. */
  get effects(): Effect[] {
    return [...this.#effects.values()];
  }

  /** The files of the task. */
  get taskFiles(): readonly TaskFile[] {
    return this.#taskFiles;
  }

  /** Returns the complete answer of a call, or what can be read of a file of the task; null without either. */
  answer(callId: string): ToolAnswer | null {
    return (this.#answers.get(callId) ?? this.#taskFile(callId))?.answer ?? null;
  }

  #taskFile(callId: string): TaskFile | undefined {
    return this.#taskFiles.find((file) => file.callId === callId);
  }

  /** Returns where the sources of these calls' answers were cut, each place once. */
  cutsOf(callIds: readonly string[]): string[] {
    const sources = callIds.flatMap((callId) => this.#sourcesOf(callId));
    return [...new Set(sources.flatMap(({ cut }) => cut ?? []))];
  }

  /** Returns the calls of cut sources that the model had read when it made a call of its last reply, or of the next one. */
  cutReadsBefore(callId: string): readonly string[] {
    return [...this.#filesThatAreCut().keys(), ...this.#cutReads.before(callId)];
  }

  #filesThatAreCut(): ReadonlyMap<string, readonly Source[]> {
    this.#cutFiles ??= cutFiles(this.#taskFiles);
    return this.#cutFiles;
  }

  #sourcesOf(callId: string): readonly Source[] {
    return this.#evidence.get(callId) ?? this.#filesThatAreCut().get(callId) ?? [];
  }

  reply(name: string): EarlierReply | null {
    return this.#replies.get(name) ?? null;
  }

  outputs(): StoredOutput[] {
    return this.#outputs.map((place) => this.#output(place));
  }

  /** Returns one output, or null if there is none of this id. Reads no other. */
  output(outputId: string): StoredOutput | null {
    const place = this.#outputs.find((known) => known.outputId === outputId);
    return place === undefined ? null : this.#output(place);
  }

  /** Returns what the execution has produced and changed. */
  work(): { outputs: StoredOutput[]; effects: Effect[] } {
    return { outputs: this.outputs(), effects: this.effects };
  }

  /** Returns the files that a call output, or a file of the task. */
  files(callId: string): OutputFile[] {
    const given = this.#taskFile(callId);
    if (given !== undefined) {
      const { name: filename, mediaType } = given;
      return [{ filename, mediaType, bytes: this.#journal.blob(callId) }];
    }
    return this.#outputs
      .filter((place) => place.callId === callId && place.isFile)
      .map((place) => this.#output(place))
      .map(({ outputId, mediaType, filename }) => ({
        filename: filename ?? outputId,
        mediaType,
        bytes: this.#journal.blob(outputId),
      }));
  }

  /** Adds a stored commit. */
  add(seq: number, at: number, facts: readonly (StoredFact | null)[]): void {
    facts.forEach((fact, index) => {
      if (fact !== null) this.#add(fact, { seq, index }, at);
    });
  }

  /**
   * Returns the facts of a transition as they are stored at `place`, with their sources and outputs'
   * ids, and stores the bytes of files. Called within the transaction that stores them.
   */
  toStore(facts: readonly Fact[], { eventsBefore }: JournalPosition, now: number): StoredFact[] {
    const stored: StoredFact[] = [];
    let events = eventsBefore;
    let outputs = this.#outputs.length;
    const added = new Map<string, readonly Source[]>();
    const sourcesOf = (callIds: readonly string[]): Source[] => {
      const bySeq = new Map<number, Source>();
      for (const callId of callIds) {
        for (const item of added.get(callId) ?? this.#sourcesOf(callId))
          bySeq.set(item.eventSeq, item);
      }
      return [...bySeq.values()];
    };
    for (const fact of facts) {
      switch (fact.kind) {
        case "event":
          events += 1;
          stored.push(fact);
          break;
        case "turn":
        case "try":
          stored.push(fact);
          break;
        case "effect": {
          // Until its outcome is known, it may have sent all that the model had read.
          const isOpen = fact.state === "uncertain" && this.cutReadsBefore(fact.callId).length > 0;
          stored.push(isOpen ? { ...fact, truncated: true } : fact);
          break;
        }
        case "evidence": {
          const { callId, url, basedOn, cut } = fact;
          // The answer's own event first, then the sources it is based on, each once.
          const own = { eventSeq: events, ...(url !== null && { url }), ...(cut && { cut }) };
          const sources = [own, ...firstOf(sourcesOf(basedOn), MAX_SOURCES - 1)];
          added.set(callId, sources);
          stored.push({
            kind: "evidence",
            callId,
            sources,
            ...(cut === null && { isWhole: true }),
          });
          break;
        }
        case "output": {
          const { callId } = fact;
          const named = sourcesOf(fact.basedOn);
          // The model wrote an output without sources: then its only source is the call that made it.
          const sources = firstOf(named.length === 0 ? sourcesOf([callId]) : named, MAX_SOURCES);
          outputs += 1;
          const made = this.#newOutput(`out_${outputs}`, fact.output, sources, now);
          const { outputId, label, type, nodeType } = made;
          stored.push({ kind: "output", callId, output: made });
          stored.push({ kind: "event", type: "output", data: { outputId, label, type, nodeType } });
          events += 1;
          break;
        }
        case "announce":
        case "abort":
          break;
        default:
          fact satisfies never;
      }
    }
    return stored;
  }

  #newOutput(
    outputId: string,
    { bytes, ...made }: NewOutput,
    sources: Source[],
    now: number,
  ): StoredOutput {
    if (bytes !== undefined) this.#journal.putBlob(outputId, bytes);
    return storedOutput.parse({
      outputId,
      ...made,
      ...(bytes === undefined ? {} : { sizeBytes: bytes.length }),
      sources,
      createdAt: new Date(now).toISOString(),
    });
  }

  #add(fact: StoredFact, place: FactPlace, at: number): void {
    switch (fact.kind) {
      case "turn":
        this.#addTurn(fact.turn, place);
        return;
      case "evidence": {
        const { callId, sources, isWhole = false } = fact;
        this.#evidence.set(callId, sources);
        this.#cutReads.add(callId, sources[0], isWhole);
        return;
      }
      case "output":
        this.#outputs.push({
          ...place,
          outputId: fact.output.outputId,
          callId: fact.callId,
          isFile: fact.output.type === "file",
        });
        return;
      case "effect": {
        const { kind: _, callId, ...what } = fact;
        const idempotencyKey = idempotencyKeyOf(this.#journal.executionId, callId);
        const changedAt = new Date(at).toISOString();
        // Who approved it, and what, is told once: when it begins.
        const { input, askedInput, approvedBy } = this.#effects.get(callId) ?? {};
        const approved = { input, askedInput, approvedBy };
        const item = { effectId: callId, idempotencyKey, ...approved, ...what, at: changedAt };
        this.#effects.set(callId, effect.parse(item));
        return;
      }
      case "tools":
        this.#tools = fact.tools;
        return;
      case "reply":
        for (const { name, content } of fact.names) {
          this.#replies.set(name, { content, body: fact.body });
        }
        return;
      case "attempt":
        this.#attempts.push(fact.attempt);
        return;
      case "try": {
        const { kind: _, ...tried } = fact;
        this.#tries.push(tried);
        return;
      }
      case "seed":
        this.#taskFiles = (fact.seed.files ?? []).map((file, at) =>
          taskFile(file, fileCallId(at), this.#journal),
        );
        return;
      case "event":
      case "dropped":
        return;
      default:
        fact satisfies never;
    }
  }

  #addTurn(turn: Turn, place: FactPlace): void {
    if (turn.role === "assistant") this.#cutReads.addReply(turn);
    if (turn.role !== "tool") {
      this.#turns.push(turn);
      return;
    }
    const isLong = JSON.stringify(turn.answer).length >= LONG_ANSWER;
    const kept = isLong ? this.#asStored(turn, place) : turn;
    this.#turns.push(kept);
    this.#answers.set(turn.callId, kept);
  }

  #asStored(
    { answer: _, ...turn }: Turn & { role: "tool" },
    place: FactPlace,
  ): Turn & { role: "tool" } {
    const read = (): ToolAnswer => {
      const fact = this.#fact(place);
      if (fact?.kind !== "turn" || fact.turn.role !== "tool")
        throw new Error("There is no answer.");
      return fact.turn.answer;
    };
    return {
      ...turn,
      get answer() {
        return read();
      },
    };
  }

  #output(place: FactPlace): StoredOutput {
    const fact = this.#fact(place);
    if (fact?.kind !== "output") throw new Error("There is no output.");
    return fact.output;
  }

  #fact({ seq, index }: FactPlace): StoredFact | null | undefined {
    return this.#journal.entry(seq).facts[index];
  }
}

function taskFile(file: StoredFile, callId: string, journal: Journal): TaskFile {
  return {
    ...file,
    callId,
    get answer() {
      return answerOfFile(file, callId, journal);
    },
  };
}

/** Returns at most this many sources. Those that were cut come first if some are left out. */
function firstOf(sources: Source[], most: number): Source[] {
  if (sources.length <= most) return sources;
  const whole = sources.filter(({ cut }) => cut === undefined);
  return [...sources.filter(({ cut }) => cut !== undefined), ...whole].slice(0, most);
}

/** Names what started an execution. After it went back in time, the same may start another one. */
export function causeOf({ executionId, origin, inbound, workflowId, metadata }: ExecutionSeed) {
  if (inbound !== null) return `${inbound.requestId} ${workflowId}`;
  return origin === "schedule" ? `${metadata.scheduleId} ${metadata.scheduledFor}` : executionId;
}

/** Returns the effects that the executions of a host had, or may have had, since a time in epoch milliseconds. */
export function effectsSince(storage: JournalStorage, since: number): KeptEffect[] {
  return storage.sql
    .exec("SELECT execution_id FROM heads WHERE head ->> '$.state.updatedAt' >= ?", since)
    .toArray()
    .flatMap(({ execution_id: id }) => {
      const journal = new Journal(storage, String(id));
      const seed = journal.seed();
      if (seed === null) return [];
      return History.read(journal)
        .effects.filter(({ at, state }) => state !== "failed" && Date.parse(at) >= since)
        .map((effect) => keptEffect.parse({ ...seed, cause: causeOf(seed), ...effect }));
    });
}

import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import type { Turn } from "../../../src/contract/conversation.ts";
import { NO_DELIVERIES } from "../../../src/deliveries/pending.ts";
import { migrate } from "../../../src/durable/schema.ts";
import { History } from "../../../src/executions/journal/history.ts";
import { HOST_SCHEMA, Journal } from "../../../src/executions/journal/journal.ts";
import { initialState } from "../../../src/executions/machine/state.ts";
import type { Fact } from "../../../src/executions/machine/transition.ts";
import { seedOf } from "../../support/execution.ts";
import { env } from "../../support/worker/objects.ts";

const NOW = Date.UTC(2026, 0, 1);

/** The journal of a new execution, with the history that is folded while it is written. */
class Written {
  readonly journal: Journal;
  history: History;
  #entries = 0;
  #events = 0;

  constructor(storage: DurableObjectStorage) {
    this.journal = new Journal(storage, seedOf().executionId);
    this.history = History.read(this.journal);
  }

  /** Stores a commit of these facts. */
  save(facts: readonly Fact[]): void {
    const place = { seq: this.#entries, eventsBefore: this.#events };
    const stored = this.history.toStore(facts, place, NOW);
    this.#events += stored.filter(({ kind }) => kind === "event").length;
    const numbered = { seq: place.seq, events: this.#events };
    this.journal.append(numbered, { at: NOW, version: 1, facts: stored });
    this.history.add(place.seq, NOW, stored);
    this.#entries += 1;
  }

  /** Folds what is stored anew, as another process does. */
  reread(): History {
    this.history = History.read(this.journal);
    return this.history;
  }
}

/** Lets `use` write into the journal of a new execution. */
function withJournal(
  use: (written: Written, storage: DurableObjectStorage) => void | Promise<void>,
) {
  const object = env.SESSION_HOST.getByName(crypto.randomUUID());
  return runInDurableObject(object, (_, { storage }) => {
    migrate(storage, HOST_SCHEMA);
    return use(new Written(storage), storage);
  });
}

const answerOf = (callId: string): Fact[] => [
  { kind: "event", type: "tool.finished", data: { callId, ok: true } },
  {
    kind: "turn",
    turn: { role: "tool", callId, tool: "browse", answer: { ok: true, content: callId } },
  },
];

it("keeps a file of many chunks byte by byte", async () => {
  await withJournal((written) => {
    const bytes = new Uint8Array(2_500_000).map((_, index) => index % 251);
    const output = {
      nodeType: "FILE" as const,
      label: "Big",
      type: "file" as const,
      mediaType: "application/octet-stream",
      bytes,
    };
    const facts: Fact[] = [{ kind: "output", callId: "c1", basedOn: [], output }];
    written.save(facts);
    expect(written.reread().outputs()).toMatchObject([{ outputId: "out_1", sizeBytes: 2_500_000 }]);
    const read = written.journal.blob("out_1");
    expect(read.length).toBe(bytes.length);
    expect(read.findIndex((byte, index) => byte !== bytes[index])).toBe(-1);
    expect(written.journal.blob("out_2")).toHaveLength(0);
  });
});

it("traces an answer to all its pages, even through derived answers", async () => {
  await withJournal((written) => {
    const pages = Array.from({ length: 120 }, (_, n) => `page${n}`);
    const tables = pages.filter((_, n) => n % 10 === 0).map((page) => `table of ${page}`);
    const evidence = (callId: string, url: string | null, basedOn: string[]): Fact[] => [
      ...answerOf(callId),
      { kind: "evidence", callId, url, basedOn },
    ];
    const output = {
      nodeType: "TEXT" as const,
      label: "All",
      type: "text" as const,
      mediaType: "text/plain",
      value: "all",
    };
    const facts: Fact[] = [
      ...pages.flatMap((page) => evidence(page, `https://a.example/${page}`, [])),
      ...tables.flatMap((name, n) => evidence(name, null, pages.slice(n * 10, n * 10 + 10))),
      ...evidence("emit", null, tables),
      { kind: "output", callId: "emit", basedOn: tables, output },
    ];
    written.save(facts);
    const urls =
      written
        .reread()
        .outputs()[0]
        ?.sources.flatMap(({ url }) => url ?? []) ?? [];
    expect(urls.toSorted()).toEqual(pages.map((page) => `https://a.example/${page}`).toSorted());
  });
});

it("numbers events over all commits, and returns those after a given one", async () => {
  await withJournal((written) => {
    for (const callId of ["first", "second", "third"]) {
      written.save([...answerOf(callId), ...answerOf(`${callId} again`)]);
    }
    const { journal } = written;
    expect(journal.events(0, 10).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    const after = journal.events(3, 2).map(({ seq, data }) => [seq, data.callId]);
    expect(after).toEqual([
      [4, "second again"],
      [5, "third"],
    ]);
    expect(journal.events(6, 10)).toEqual([]);
  });
});

it("skips what newer code recorded, and keeps the numbers of the events", async () => {
  await withJournal((written, { sql }) => {
    written.save(answerOf("first"));
    const newer = {
      at: NOW,
      version: 2,
      facts: [
        { kind: "event", type: "dreamt", data: {} },
        { kind: "dream", of: "sheep" },
        ...answerOf("second"),
      ],
    };
    const { executionId } = written.journal;
    const insert = "INSERT INTO journal (execution_id, seq, events, entry) VALUES (?, 1, 3, ?)";
    sql.exec(insert, executionId, JSON.stringify(newer));
    expect(written.reread().answer("second")).toEqual({ ok: true, content: "second" });
    expect(written.journal.events(0, 10).map(({ seq }) => seq)).toEqual([1, 3]);
  });
});

it("keeps a long answer in storage, and reads it on demand", async () => {
  await withJournal((written, { sql }) => {
    const long = { ok: true as const, content: { text: "x".repeat(100_000) } };
    const turn: Turn = { role: "tool", callId: "long", tool: "browse", answer: long };
    written.save([{ kind: "turn", turn }, ...answerOf("short")]);
    for (const history of [written.history, written.reread()]) {
      expect(history.answer("long")).toEqual(long);
      sql.exec("UPDATE journal SET entry = replace(entry, 'xxxxx', 'yyyyy')");
      expect(JSON.stringify(history.answer("long"))).toContain("yyyyy");
      sql.exec("UPDATE journal SET entry = replace(entry, 'yyyyy', 'xxxxx')");
      expect(history.turns.map(({ role }) => role)).toEqual(["tool", "tool"]);
      expect(history.answer("short")).toEqual({ ok: true, content: "short" });
    }
  });
});

it("stores a commit that is too long for a row", async () => {
  await withJournal((written, { sql }) => {
    const answer = { ok: true as const, content: { text: "字".repeat(1_500_000) } };
    const turn: Turn = { role: "tool", callId: "long", tool: "browse", answer };
    written.save([{ kind: "turn", turn }, ...answerOf("short")]);
    written.save(answerOf("next"));
    expect(written.reread().answer("long")).toEqual(answer);
    expect(written.journal.events(0, 10).map(({ seq }) => seq)).toEqual([1, 2]);
    while (written.journal.removeSlice());
    for (const table of ["heads", "journal", "blobs"]) {
      expect(sql.exec(`SELECT * FROM ${table}`).toArray()).toEqual([]);
    }
  });
});

it("deletes a slice at a time, and the rest stays readable", async () => {
  await withJournal((written, { sql }) => {
    const { journal } = written;
    const answer = { ok: true as const, content: { text: "x".repeat(600_000) } };
    for (let n = 0; n < 900; n += 1) written.save(answerOf(`call${n}`));
    for (let n = 0; n < 30; n += 1) {
      written.save([
        { kind: "turn", turn: { role: "tool", callId: "long", tool: "browse", answer } },
      ]);
    }
    const countOf = (table: string) =>
      Number(sql.exec(`SELECT count(*) AS n FROM ${table}`).one().n);
    const slices: number[] = [];
    let left = countOf("journal") + countOf("blobs");
    while (journal.removeSlice()) {
      const now = countOf("journal") + countOf("blobs");
      slices.push(left - now);
      left = now;
      expect(journal.entry(0).facts).toHaveLength(2);
      expect(() => written.reread()).not.toThrow();
    }
    expect(Math.max(...slices)).toBeLessThanOrEqual(200);
    expect(slices.length).toBeGreaterThan(7);
    expect(countOf("journal") + countOf("blobs")).toBe(0);
  });
});

it("rejects an incomplete fact of a known kind", async () => {
  await withJournal((written, { sql }) => {
    written.save(answerOf("first"));
    sql.exec(`UPDATE journal SET entry = replace(entry, '"callId"', '"call"')`);
    expect(() => written.reread()).toThrow();
  });
});

it("keeps the fields of newer code in a head, even when this code rewrites it", async () => {
  await withJournal(({ journal }, { sql }) => {
    const state = initialState(seedOf(), NOW);
    const due = { step: NOW, dream: NOW };
    const head = { state, deliveries: NO_DELIVERIES, due, entries: 0, events: 0 };
    journal.saveHead(head, null);
    sql.exec(
      "UPDATE heads SET head = json_set(head, '$.dreams', 3, '$.state.mood', 'good', '$.writtenBy', 2)",
    );
    const read = journal.head();
    if (read === null) throw new Error("there is no head");
    journal.saveHead({ ...read, entries: 1, state: structuredClone(read.state) }, null);
    const stored = JSON.parse(String(sql.exec("SELECT head FROM heads").one().head));
    expect(stored).toEqual({
      ...head,
      entries: 1,
      dreams: 3,
      state: { ...state, mood: "good" },
      writtenBy: 1,
      readableBy: 1,
    });
  });
});

it("refuses an incompatible head of newer code", async () => {
  await withJournal((written, { sql }) => {
    const { journal } = written;
    const state = initialState(seedOf(), NOW);
    journal.saveHead({ state, deliveries: NO_DELIVERIES, due: {}, entries: 0, events: 0 }, null);
    expect(journal.head()).toMatchObject({ state });
    const newer = (readableBy: number) =>
      sql.exec(
        "UPDATE heads SET head = json_set(head, '$.writtenBy', 9, '$.readableBy', ?)",
        readableBy,
      );
    newer(1);
    expect(journal.head()).toMatchObject({ state });
    newer(9);
    expect(() => journal.head()).toThrow("Only newer code can read this execution");
  });
});

it("keeps which of any number of sources were cut", async () => {
  await withJournal((written) => {
    const reads = Array.from({ length: 300 }, (_, n) => `read${n}`);
    written.save([
      ...reads.flatMap((callId, n): Fact[] => [
        ...answerOf(callId),
        {
          kind: "evidence",
          callId,
          url: `https://a.example/${n}`,
          basedOn: [],
          cut: n === 299 ? "2 MiB" : null,
        },
      ]),
      ...answerOf("sum"),
      { kind: "evidence", callId: "sum", url: null, basedOn: reads },
    ]);
    expect(written.history.cutsOf(["sum"])).toEqual(["2 MiB"]);
    expect(written.reread().cutsOf(["sum", "read299"])).toEqual(["2 MiB"]);
    expect(written.history.cutsOf(["read1", "unknown"])).toEqual([]);
    expect(written.history.cutReadsBefore("next")).toEqual(["read299"]);
  });
});

it("keeps one entry for each effect, marked at its start and with what it sent", async () => {
  await withJournal((written) => {
    const effect = (
      callId: string,
      state: "uncertain" | "confirmed",
      truncated?: boolean,
    ): Fact => ({
      kind: "effect",
      callId,
      tool: "send_email",
      target: "e-mail to ann@example.com",
      state,
      ...(truncated && { truncated }),
    });
    written.save([
      ...answerOf("page"),
      { kind: "evidence", callId: "page", url: null, basedOn: [], cut: "2 MiB" },
    ]);
    written.save([
      effect("lost", "uncertain"),
      effect("whole", "uncertain"),
      effect("cut", "uncertain"),
    ]);
    written.save([effect("whole", "confirmed"), effect("cut", "confirmed", true)]);
    expect(
      written
        .reread()
        .effects.map(({ effectId, state, truncated }) => [effectId, state, truncated]),
    ).toEqual([
      ["lost", "uncertain", true],
      ["whole", "confirmed", undefined],
      ["cut", "confirmed", true],
    ]);
  });
});

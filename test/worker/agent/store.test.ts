import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { initialState } from "../../../src/agent/machine/state.ts";
import type { Fact } from "../../../src/agent/machine/transition.ts";
import { SessionStore } from "../../../src/agent/store/session-store.ts";
import type { Turn } from "../../../src/contract/conversation.ts";
import { seedOf } from "../../support/execution.ts";
import { env } from "../../support/worker/objects.ts";

/** Lets `use` work with the store of an execution that was just created. */
function withStore(use: (store: SessionStore, storage: DurableObjectStorage) => void) {
  const object = env.SESSION.getByName(crypto.randomUUID());
  return runInDurableObject(object, (_, { storage }) => {
    const store = new SessionStore(storage);
    store.create(seedOf());
    use(store, storage);
  });
}

const answerOf = (callId: string): Fact[] => [
  { kind: "event", type: "tool.finished", data: { callId } },
  {
    kind: "turn",
    turn: { role: "tool", callId, tool: "browse", answer: { ok: true, content: callId } },
  },
];

it("keeps a file of many chunks byte by byte", async () => {
  await withStore((store) => {
    const bytes = new Uint8Array(2_500_000).map((_, index) => index % 251);
    const output = {
      nodeType: "FILE" as const,
      label: "Big",
      type: "file" as const,
      mediaType: "application/octet-stream",
      bytes,
    };
    const facts: Fact[] = [{ kind: "output", callId: "c1", basedOn: [], output }];
    store.save(initialState(seedOf(), 0), facts, 0);
    expect(store.outputs.all()).toMatchObject([{ outputId: "out_1", sizeBytes: 2_500_000 }]);
    const read = store.outputs.bytes("out_1");
    expect(read.length).toBe(bytes.length);
    expect(read.findIndex((byte, index) => byte !== bytes[index])).toBe(-1);
    expect(store.outputs.bytes("out_2")).toHaveLength(0);
  });
});

it("leads an output's sources back to where its value came from", async () => {
  await withStore((store) => {
    const output = {
      nodeType: "TEXT" as const,
      label: "Sum",
      type: "text" as const,
      mediaType: "text/plain",
      value: "3",
    };
    const facts: Fact[] = [
      ...answerOf("page"),
      { kind: "evidence", callId: "page", url: "https://a.example/", basedOn: [] },
      ...answerOf("sum"),
      { kind: "evidence", callId: "sum", url: null, basedOn: ["page"] },
      ...answerOf("emit"),
      { kind: "evidence", callId: "emit", url: null, basedOn: ["sum"] },
      { kind: "output", callId: "emit", basedOn: ["sum"], output },
    ];
    store.save(initialState(seedOf(), 0), facts, 0);
    expect(store.outputs.all()[0]?.sources).toEqual([
      { eventSeq: 2 },
      { eventSeq: 1, url: "https://a.example/" },
    ]);
  });
});

it("leads back to every page of many, also through answers that were made of answers", async () => {
  await withStore((store) => {
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
    store.save(initialState(seedOf(), 0), facts, 0);
    const urls = store.outputs.all()[0]?.sources.flatMap(({ url }) => url ?? []) ?? [];
    expect(urls.toSorted()).toEqual(pages.map((page) => `https://a.example/${page}`).toSorted());
  });
});

it("stores nothing of a transaction that failed, and knows it", async () => {
  await withStore((store, storage) => {
    store.save(initialState(seedOf(), 0), answerOf("first"), 0);
    expect(() =>
      storage.transactionSync(() => {
        store.save(initialState(seedOf(), 0), answerOf("second"), 0);
        throw new Error("no");
      }),
    ).toThrow("no");
    store.forget();
    expect(store.lastSeq()).toBe(1);
    expect(store.answer("second")).toBeNull();
    store.save(initialState(seedOf(), 0), answerOf("third"), 0);
    expect(store.events(0, 10).map(({ seq }) => seq)).toEqual([1, 2]);
    expect(store.answer("third")).toEqual({ ok: true, content: "third" });
  });
});

it("leaves a long answer in storage, and reads it each time that it is wanted", async () => {
  await withStore((store, { sql }) => {
    const long = { ok: true as const, content: { text: "x".repeat(500_000) } };
    const turn: Turn = { role: "tool", callId: "long", tool: "browse", answer: long };
    store.save(initialState(seedOf(), 0), [{ kind: "turn", turn }, ...answerOf("short")], 0);
    for (const text of [long.content.text, "changed behind its back"]) {
      const stored = JSON.stringify({ ...turn, answer: { ...long, content: { text } } });
      sql.exec("UPDATE turns SET turn = ? WHERE idx = 0", stored);
      expect(store.answer("long")).toEqual({ ok: true, content: { text } });
    }
    store.forget();
    expect(store.turns().map(({ role }) => role)).toEqual(["tool", "tool"]);
    expect(store.answer("long")).toMatchObject({ content: { text: "changed behind its back" } });
    expect(store.answer("short")).toEqual({ ok: true, content: "short" });
  });
});

it("keeps one entry per effect, in the order in which they were begun", async () => {
  await withStore((store) => {
    const effect = (callId: string, state: "uncertain" | "confirmed" | "failed"): Fact => ({
      kind: "effect",
      callId,
      tool: "http_request",
      target: `POST https://a.example/${callId}`,
      state,
    });
    const facts = [effect("a", "uncertain"), effect("b", "uncertain"), effect("a", "confirmed")];
    store.save(initialState(seedOf(), 0), facts, 0);
    expect(store.effects()).toMatchObject([
      { effectId: "a", state: "confirmed" },
      { effectId: "b", state: "uncertain" },
    ]);
  });
});

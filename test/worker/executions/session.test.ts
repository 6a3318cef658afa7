import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { sessionHostStub } from "../../../src/durable/stubs.ts";
import { seedOf } from "../../support/execution.ts";
import {
  env,
  execute,
  executionOf,
  hostOf,
  mailbox,
  openAccount,
} from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const NOTE = { tool: "emit_output", input: { label: "Note", type: "text", value: "hi" } };
const allEvents = { after: 0, limit: 1_000 };

describe("an execution", () => {
  it("runs from the prompt to its result", async () => {
    const execution = await execute({
      prompt: promptOf({ calls: [NOTE] }, { finish: { summary: "Written.", data: { count: 1 } } }),
    });
    expect(await execution.ended()).toMatchObject({ status: "completed", statusDetail: "done" });
    expect(await execution.session().result(execution.account.accountId)).toMatchObject({
      kind: "ready",
      result: {
        presentedResult: { summary: "Written.", data: { count: 1 } },
        outputs: [{ label: "Note", value: "hi", sources: [{ eventSeq: expect.any(Number) }] }],
        creditsConsumed: 3,
        model: "openai/scripted",
      },
    });
  });

  it("reads nulls in place of absent fields, and has the data as its answer", async () => {
    const outputSchema = {
      type: "object",
      properties: { count: { type: "number" }, of: { type: "string" } },
    };
    const finish = { summary: '{"count":1}', data: { count: 1, of: null } };
    const execution = await execute({ outputSchema, prompt: promptOf({ finish }) });
    expect(await execution.ended()).toMatchObject({ status: "completed" });
    expect(await execution.session().result(execution.account.accountId)).toMatchObject({
      result: {
        presentedResult: { summary: "The result has the field count.", data: { count: 1 } },
        outputs: [{ label: "Answer", type: "json", value: { count: 1 } }],
      },
    });
  });

  it("charges its steps by their tokens, and no reply that was cut off", async () => {
    const usage = { inputTokens: 30_000, outputTokens: 0, cachedTokens: 0 };
    const cut = { text: "The first half of", cutShort: true, usage };
    const execution = await execute({
      prompt: promptOf(cut, { finish: { summary: "Done." }, usage }),
    });
    expect(await execution.ended()).toMatchObject({ status: "completed", creditsConsumed: 3 });
    expect(await execution.session().result(execution.account.accountId)).toMatchObject({
      result: { usage: { inputTokens: 60_000, modelSteps: 1 }, creditsConsumed: 3 },
    });
  });

  it("runs without any server by the demo model", async () => {
    const execution = await execute({ model: "builtin/demo", prompt: "Say hello" });
    expect(await execution.ended()).toMatchObject({
      status: "completed",
      progress: { stepsCompleted: 1 },
      creditsConsumed: 1,
    });
    const reply = await execution.session().result(execution.account.accountId);
    if (reply.kind !== "ready") throw new Error("there is no result");
    expect(reply.result.presentedResult.summary.toLowerCase()).toContain("hello");
    expect(reply.result.model).toBe("builtin/demo");
  });

  it("settles what it used: the rest of the hold can be spent at once", async () => {
    const account = await openAccount({ credits: 100 });
    const execution = await execute({ prompt: promptOf({ calls: [NOTE] }, {}) }, account);
    const { creditsConsumed } = await execution.ended();
    await expect
      .poll(async () => await account.api.credits(account.credential))
      .toMatchObject({
        credits: {
          availableCredits: 100 - creditsConsumed,
          reservedCredits: 0,
          consumedCredits: creditsConsumed,
        },
      });
  });

  it("logs without gaps, each entry under the version it came with, the final status last", async () => {
    const execution = await execute({ prompt: promptOf({ calls: [NOTE] }, {}) });
    const { version } = await execution.ended();
    const { accountId } = execution.account;
    const reply = await execution.session().events(accountId, allEvents);
    if (reply.kind !== "found") throw new Error("the log is not there");
    expect(reply.closed).toBe(true);
    expect(reply.events.map(({ seq }) => seq)).toEqual(reply.events.map((_, index) => index + 1));
    const versions = reply.events.map((event) => event.version);
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
    expect(reply.events.at(-1)).toMatchObject({
      type: "status",
      version,
      data: { status: "completed" },
    });
    expect(reply.events.map(({ type }) => type)).toContain("output");
  });

  it("has no result before its end", async () => {
    const gate = mailbox();
    await gate.answer("hold");
    const execution = await execute({ prompt: promptOf({ gate: gate.name }) });
    await gate.letters(1);
    expect(await execution.session().result(execution.account.accountId)).toEqual({
      kind: "not_ready",
      status: "active",
    });
  });

  it("fails with model_error when the provider says that trying again cannot help", async () => {
    const execution = await execute({ prompt: promptOf({ error: { status: 401 } }) });
    expect(await execution.ended()).toMatchObject({
      status: "failed",
      error: { code: "model_error" },
      creditsConsumed: 0,
    });
  });

  it("tries a busy provider again", async () => {
    const execution = await execute({ prompt: promptOf({ error: { status: 503 } }) });
    const state = await execution.until(({ statusDetail }) => statusDetail === "retrying");
    expect(state.progress.message).toContain("503");
  });

  it("tells the client what its tool found, as data and not as a message", async () => {
    const site = mailbox();
    const gate = mailbox();
    const execution = await execute({
      prompt: promptOf(
        { calls: [{ tool: "http_request", input: { url: site.url } }] },
        { gate: gate.name, finish: { summary: "Read." } },
      ),
    });
    await execution.ended();
    const [asked] = await gate.letters(1);
    const messages = JSON.parse(asked?.body ?? "[]") as { role: string; content: string }[];
    expect(messages.at(-1)).toMatchObject({ role: "tool" });
    expect(messages.at(-1)?.content).toContain("taken");
  });
});

describe("a session", () => {
  it("starts once: a second start changes nothing", async () => {
    const account = await openAccount();
    const seed = seedOf({
      executionId: crypto.randomUUID(),
      accountId: account.accountId,
      createdAt: Date.now(),
      model: "openai/scripted",
      prompt: promptOf({ finish: { summary: "first" } }),
    });
    const host = sessionHostStub(env, account.accountId, seed.executionId);
    await Promise.all([host.start(seed), host.start(seed)]);
    const state = await executionOf(account, seed.executionId).ended();
    await host.start({ ...seed, prompt: promptOf({ finish: { summary: "second" } }) });
    expect(await executionOf(account, seed.executionId).status()).toEqual(state);
    const events = await host.events(seed.executionId, allEvents);
    if (events.kind !== "found") throw new Error("the log is not there");
    const queued = events.events.filter(({ data }) => data.statusDetail === "queued");
    expect(queued).toHaveLength(1);
  });

  it("tells another account nothing", async () => {
    const execution = await execute();
    await execution.ended();
    const session = execution.session();
    const stranger = (await openAccount()).accountId;
    const replies = [
      await session.status(stranger),
      await session.waitForStatus(stranger, 0, 1),
      await session.result(stranger),
      await session.events(stranger, allEvents),
      await session.follow(stranger, 0),
      await session.file(stranger, "out_1"),
      await session.callbacks(stranger),
      await session.redeliver(stranger, null),
      await session.stop(stranger, { reason: null, ifVersion: null }),
    ];
    for (const reply of replies) expect(reply).toEqual({ kind: "unknown" });
  });

  it("that was never started answers that it is unknown, and stores nothing", async () => {
    const executionId = crypto.randomUUID();
    const host = sessionHostStub(env, "acc_1", executionId);
    expect(await host.status(executionId)).toEqual({ kind: "unknown" });
    expect(await host.beginDelivery(executionId, "del_1", 1)).toBeNull();
    await runInDurableObject(hostOf("acc_1", executionId), async (_, { storage }) => {
      expect((await storage.list()).size).toBe(0);
      expect(storage.sql.exec("SELECT name FROM sqlite_master").toArray()).toEqual([]);
      expect(await storage.getAlarm()).toBeNull();
    });
  });
});

describe("waiting for a change", () => {
  it("answers at once when the version has passed", async () => {
    const execution = await execute();
    const { version } = await execution.ended();
    const { accountId } = execution.account;
    const reply = await execution.session().waitForStatus(accountId, version - 1, 30);
    expect(reply).toMatchObject({ state: { version } });
  });

  it("answers at once when nothing can change any more", async () => {
    const execution = await execute();
    const { version } = await execution.ended();
    const reply = await execution
      .session()
      .waitForStatus(execution.account.accountId, version + 5, 30);
    expect(reply).toMatchObject({ state: { version } });
  });

  it("answers when the change comes, and tells what it came to", async () => {
    const gate = mailbox();
    await gate.answer("hold");
    const execution = await execute({ prompt: promptOf({ gate: gate.name }) });
    await gate.letters(1);
    const { version } = await execution.status();
    const { accountId } = execution.account;
    const waiting = execution.session().waitForStatus(accountId, version, 30);
    await execution.session().stop(accountId, { reason: null, ifVersion: null });
    expect(await waiting).toMatchObject({ state: { status: "stopped", version: version + 1 } });
  });

  it("hands on log entries as they come, and says when there are no more", async () => {
    const gate = mailbox();
    await gate.answer("hold");
    const execution = await execute({ prompt: promptOf({ gate: gate.name }) });
    await gate.letters(1);
    const { accountId } = execution.account;
    const before = await execution.session().events(accountId, allEvents);
    if (before.kind !== "found") throw new Error("the log is not there");
    expect(before.closed).toBe(false);
    const after = before.events.length;
    const reply = await execution.session().follow(accountId, after);
    if (reply.kind !== "found") throw new Error("there is no stream");
    await execution.session().stop(accountId, { reason: null, ifVersion: null });
    const text = await new Response(reply.stream).text();
    expect(text).toMatch(new RegExp(`^: nothing new\n\nid: ${after + 1}\nevent: status\n`));
    expect(text).toContain('"status":"stopped"');
  });

  it("is not told that the log is over while a page of it is still unread", async () => {
    const execution = await execute();
    await execution.ended();
    const { accountId } = execution.account;
    const page = await execution.session().events(accountId, { after: 0, limit: 2 });
    expect(page).toMatchObject({ closed: false, events: [{ seq: 1 }, { seq: 2 }] });
  });
});

describe("a file output", () => {
  it("can be read by its owner, and no other output can", async () => {
    const file = { label: "List", type: "file", filename: "l.csv", mediaType: "text/csv" };
    const calls = [NOTE, { tool: "emit_output", input: { ...file, value: "a,b" } }];
    const execution = await execute({ prompt: promptOf({ calls }, {}) });
    await execution.ended();
    const { accountId } = execution.account;
    const read = await execution.session().file(accountId, "out_2");
    if (read.kind !== "found") throw new Error("there is no file");
    expect(read).toMatchObject({ mediaType: "text/csv", filename: "l.csv" });
    expect(new TextDecoder().decode(read.bytes)).toBe("a,b");
    expect(await execution.session().file(accountId, "out_1")).toEqual({ kind: "unknown" });
    expect(await execution.session().file(accountId, "out_9")).toEqual({ kind: "unknown" });
  });
});

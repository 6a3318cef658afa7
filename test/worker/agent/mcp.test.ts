import { abortAllDurableObjects, evictDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import {
  calls,
  done,
  effectsOf,
  logOf,
  mcpServer,
  notesOf,
  register,
  told,
  withCrm,
} from "../../support/worker/mcp.ts";
import {
  execute,
  hostOf,
  mailbox,
  messageOf,
  openAccount,
  storedText,
} from "../../support/worker/objects.ts";

describe("the tools that an execution has", () => {
  it("are those of its allow-list; other servers are not called", async () => {
    const { crm, account, run } = await withCrm();
    const other = mcpServer();
    await register(account, "erp", other.url);
    const execution = await run(
      [calls("add_note", { text: "x" }), calls("look_up", { id: "c1" }), done],
      { tools: ["mcp__crm__look_up", "mcp__crm__gone"] },
    );
    await execution.ended();
    expect((await crm.seen()).calls).toMatchObject([{ tool: "look_up" }]);
    expect((await other.seen()).methods).toEqual([]);
    expect(await notesOf(execution)).toEqual([
      "The MCP server crm offers 1 tool.",
      "The MCP server crm has no mcp__crm__gone.",
    ]);
  });
});

describe("a server that cannot be used", () => {
  it("because it refuses the headers is logged, and the work continues", async () => {
    const site = mailbox();
    await site.answer(401);
    const { account, crm, run } = await withCrm();
    await register(account, "bad", site.url);
    const execution = await run([calls("report"), done]);
    expect(await execution.ended()).toMatchObject({ status: "completed" });
    const note = (await notesOf(execution)).find((text) =>
      String(text).includes("bad cannot be used"),
    );
    expect(note).toContain("headers");
    // The others are used.
    expect((await crm.seen()).calls).toMatchObject([{ tool: "report" }]);
  });

  it("because it is the service itself is never reached", async () => {
    const { crm, run } = await withCrm();
    const execution = await run([done], { serviceHosts: [new URL(crm.url).host] });
    await execution.ended();
    expect(await notesOf(execution)).toMatchObject([expect.stringContaining("service itself")]);
    expect((await crm.seen()).methods).toEqual([]);
  });

  it("because its headers were sealed for another receives none of them", async () => {
    const crm = mcpServer();
    const owner = await openAccount();
    const serverId = await register(owner, "crm", crm.url, { Authorization: "Bearer theirs" });
    const [stolen] = await owner.api.mcpEndpoints([serverId]);
    if (stolen === undefined) throw new Error("there is no server");
    const thief = await openAccount();
    await thief.api.addMcpServer({ ...stolen, name: "crm", headers: [] });
    const execution = await execute({ tools: null }, thief);
    await execution.ended();
    expect(await notesOf(execution)).toMatchObject([expect.stringContaining("decrypted")]);
    expect((await crm.seen()).methods).toEqual([]);
  });

  it("because it does not answer does not delay a stop", async () => {
    const site = mailbox();
    await site.answer("hold");
    const account = await openAccount();
    await register(account, "slow", site.url);
    const execution = await execute({ tools: null }, account);
    await site.letters(1);
    await execution.session().stop(account.accountId, { reason: null, ifVersion: null });
    expect(await site.deserted()).toMatchObject([{ gone: true }]);
    expect((await logOf(execution, "status")).at(-1)).toMatchObject({ status: "stopped" });
    expect(await notesOf(execution)).toEqual([]);
  });
});

describe("an execution's own object", () => {
  it("is not kept awake after the end", async () => {
    const { run } = await withCrm(mcpServer("earlier-sse"));
    const { execution } = await told(run, calls("report"));
    // Waits until nothing is under way in the object: a forgotten timer would hold it for long.
    await evictDurableObject(hostOf(execution.account.accountId, execution.executionId));
    expect(await execution.status()).toMatchObject({ status: "completed" });
  });

  it("keeps neither addresses nor headers of servers", async () => {
    const { crm, run } = await withCrm(mcpServer(), { Authorization: "Bearer of-the-account" });
    const execution = await run([calls("look_up", { id: "c1" }), done]);
    await execution.ended();
    const stored = await storedText(execution);
    expect(stored).toContain("look_up");
    expect(stored).not.toContain("of-the-account");
    expect(stored).not.toContain(crm.url);
  });
});

// Their differences are those of the client, whose tests have all kinds.
describe.each(["current-json", "earlier-sse"] as const)("a server of the kind %s", (mode) => {
  it("is called once by the agent, with the account's headers and an idempotency key", async () => {
    const headers = { Authorization: "Bearer of-the-account" };
    const { crm, run } = await withCrm(mcpServer(mode), headers);
    const { execution, text } = await told(run, calls("add_note", { text: "Called." }));
    expect(text).toContain("Notes: 1");
    const { calls: seen, sessions } = await crm.seen();
    expect(seen).toMatchObject([
      {
        tool: "add_note",
        arguments: { text: "Called." },
        meta: { "prompthook/idempotencyKey": `${execution.executionId}:c1` },
        authorization: "Bearer of-the-account",
      },
    ]);
    expect(sessions).toBe(0);
    expect(await effectsOf(execution)).toMatchObject([
      { effectId: "c1", tool: "mcp__crm__add_note", target: "add_note on crm", state: "confirmed" },
    ]);
    expect(await notesOf(execution)).toContain("The MCP server crm offers 9 tools.");
    expect(await execution.status()).toMatchObject({ creditsConsumed: 3 });
  });

  it("is abandoned at once when the execution is stopped", async () => {
    const { crm, run } = await withCrm(mcpServer(mode));
    await crm.hold(true);
    const execution = await run([calls("add_note", { text: "x" })]);
    await crm.seen(1);
    await execution.session().stop(execution.account.accountId, { reason: null, ifVersion: null });
    expect((await crm.deserted()).calls).toMatchObject([{ gone: true }]);
    expect(await effectsOf(execution)).toMatchObject([{ state: "uncertain" }]);
  });
});

it("logs the progress of a call", async () => {
  const { run } = await withCrm(mcpServer("current-sse"));
  const { execution, text } = await told(run, calls("count"));
  expect(text).toContain("Counted.");
  expect(await logOf(execution, "log")).toContainEqual({
    message: "count on crm: 1 of 2, Half of it",
    callId: "c1",
  });
});

describe("a remote tool's answer", () => {
  it("has its images as files, beside the answer of the agent", async () => {
    const { run } = await withCrm();
    const { execution, text } = await told(run, calls("picture"));
    expect(text).toContain("picture-1.png");
    const { session, account } = execution;
    const reply = await session().result(account.accountId);
    if (reply.kind !== "ready") throw new Error("there is no result");
    expect(reply.result.outputs).toMatchObject([
      {
        label: "Image 1 of picture",
        type: "file",
        filename: "picture-1.png",
        mediaType: "image/png",
        sizeBytes: 9,
        sources: [{ eventSeq: expect.any(Number) }],
      },
      { label: "Answer" },
    ]);
  });

  it("is a failed effect if the server says so, and uncertain if it was interrupted", async () => {
    const { crm, run } = await withCrm();
    const failed = await told(run, calls("fail"));
    expect(failed.text).toContain("The customer is locked.");
    expect(await effectsOf(failed.execution)).toMatchObject([{ state: "failed" }]);
    const { execution, text } = await told(run, calls("vanish"));
    expect(text).toContain("uncertain");
    expect(await effectsOf(execution)).toMatchObject([{ state: "uncertain" }]);
    const tools = (await crm.seen()).calls.map(({ tool }) => tool);
    expect(tools).toEqual(["fail", "vanish"]);
  });
});

it("approvals of a server include its read-only tools, and a denial sends nothing", async () => {
  const { crm, run } = await withCrm();
  const execution = await run([calls("look_up", { id: "c1" }), done], { approvals: ["mcp__crm"] });
  const { question } = await execution.until(({ status }) => status === "waiting_for_input");
  expect(question).toMatchObject({ kind: "approval", tool: "mcp__crm__look_up" });
  const denied = { text: null, approval: { callId: "c1", decision: "deny" } } as const;
  await execution.session().message(execution.account.accountId, messageOf(denied));
  await execution.ended();
  expect((await crm.seen()).calls).toEqual([]);
});

describe("when all objects are lost during a call", () => {
  it("repeats reads, without listing the tools again", async () => {
    const { crm, run } = await withCrm();
    await crm.hold(true);
    const execution = await run([calls("look_up", { id: "c1" }), done]);
    await crm.seen(1);
    await abortAllDurableObjects();
    await crm.seen(2);
    await crm.hold(false);
    expect(await execution.ended()).toMatchObject({ status: "completed" });
    expect(await effectsOf(execution)).toEqual([]);
    // As an interruption, which costs no try; not as a fault that is tried again.
    expect(await notesOf(execution)).toContain("Resumed after an interruption of the service.");
    const { methods } = await crm.seen();
    expect(methods.filter((method) => method === "tools/list")).toHaveLength(1);
  });
});

describe("a server that was removed", () => {
  it("is no longer called, even by a running execution", async () => {
    const { crm, account, serverId, run } = await withCrm();
    const gate = mailbox();
    await gate.answer("hold");
    const step = { ...calls("add_note", { text: "x" }), gate: gate.name };
    const execution = await run([step, done]);
    await gate.letters(1);
    expect(await account.api.removeMcpServer(serverId)).toBe(true);
    await gate.answer(200);
    await execution
      .session()
      .message(account.accountId, messageOf({ text: "Go on", mode: "interrupt" }));
    await execution.ended();
    expect(await logOf(execution, "tool.finished")).toMatchObject([
      { ok: false, error: { code: "server_removed" } },
    ]);
    expect((await crm.seen()).calls).toEqual([]);
    expect(await effectsOf(execution)).toMatchObject([{ state: "failed" }]);
  });
});

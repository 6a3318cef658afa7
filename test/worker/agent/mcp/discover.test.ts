import { evictDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import {
  calls,
  done,
  logOf,
  mcpServer,
  notesOf,
  register,
  told,
  withCrm,
} from "../../../support/worker/mcp.ts";
import {
  execute,
  hostOf,
  mailbox,
  openAccount,
  storedText,
} from "../../../support/worker/objects.ts";

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

import { inject } from "vitest";
import * as z from "zod";
import type { SeedDraft } from "../../../src/contract/account.ts";
import type { EventType } from "../../../src/contract/events.ts";
import type { Json } from "../../../src/contract/json.ts";
import { mcpHeadersContext } from "../../../src/contract/mcp.ts";
import { seal } from "../../../src/lib/secrets.ts";
import type { McpMode } from "../mcp/modes.ts";
import type { BoxState } from "../mcp/server.ts";
import { NEW_ENCRYPTION_KEY } from "./bindings.ts";
import { execute, mailbox, openAccount, type TestAccount, type TestExecution } from "./objects.ts";
import { promptOf, type ScriptedStep } from "./scripted.ts";

const state: z.ZodType<BoxState> = z.object({
  methods: z.array(z.string()),
  calls: z.array(
    z.object({
      tool: z.string(),
      arguments: z.unknown(),
      meta: z.record(z.string(), z.unknown()),
      authorization: z.string().nullable(),
      gone: z.boolean(),
    }),
  ),
  sessions: z.int(),
});

/** An MCP server in the outside world; see `../mcp/server.ts`. */
export function mcpServer(mode: McpMode = "current-json") {
  const base = inject("mcpServersUrl");
  const name = crypto.randomUUID();
  const seen = async (query: string) =>
    state.parse(await (await fetch(`${base}/seen/${name}?${query}`)).json());
  return {
    url: `${base}/mcp/${mode}/${name}`,
    /** Whether the tools that act wait with their answers. */
    hold: async (on: boolean) => {
      await fetch(`${base}/hold/${name}?on=${on}`, { method: "PUT" });
    },
    /** What has come, once there are so many calls. */
    seen: (calls = 0) => seen(`calls=${calls}`),
    /** Waits until a caller has gone away without an answer. */
    deserted: () => seen("gone"),
  };
}

/** Registers a server on an account, as its route does. */
export async function register(
  { api, accountId }: TestAccount,
  name: string,
  url: string,
  headers: Record<string, string> = {},
): Promise<string> {
  const serverId = `mcp_${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`;
  const keys = [NEW_ENCRYPTION_KEY];
  const sealedHeaders = await seal(
    JSON.stringify(headers),
    keys,
    mcpHeadersContext(accountId, serverId),
  );
  const shown = Object.keys(headers).map((header) => ({
    name: header,
    set: true as const,
    last4: "",
  }));
  const reply = await api.addMcpServer({ serverId, name, url, headers: shown, sealedHeaders });
  if (reply.kind !== "added") throw new Error(`not added: ${reply.kind}`);
  return serverId;
}

/** An account with the server `crm`, and what it may be told to do with it. */
export async function withCrm(
  crm: ReturnType<typeof mcpServer> = mcpServer(),
  headers: Record<string, string> = {},
) {
  const account = await openAccount();
  const serverId = await register(account, "crm", crm.url, headers);
  return {
    crm,
    account,
    serverId,
    run: (steps: [ScriptedStep, ...ScriptedStep[]], changes: Partial<SeedDraft> = {}) =>
      execute({ prompt: promptOf(...steps), tools: null, ...changes }, account),
  };
}

/** A step that calls this tool of `crm`, as the call `c1`. */
export const calls = (tool: string, input: Json = {}): ScriptedStep => ({
  calls: [{ tool: `mcp__crm__${tool}`, input, id: "c1" }],
});
/** The step that ends a script. */
export const done: ScriptedStep = { finish: { summary: "Done." } };

/** The data of the log's entries of one type. */
export async function logOf({ session, account }: TestExecution, type: EventType) {
  const query = { after: 0, limit: 1_000, waitMs: 0 };
  const reply = await session().events(account.accountId, query);
  if (reply.kind !== "found") throw new Error("the log is not there");
  return reply.events.filter((event) => event.type === type).map(({ data }) => data);
}

/** What the log says in words. */
export const notesOf = async (execution: TestExecution) =>
  (await logOf(execution, "log")).map(({ message }) => message);

/** The effects that the result tells. */
export async function effectsOf({ session, account }: TestExecution) {
  const reply = await session().result(account.accountId);
  if (reply.kind !== "ready") throw new Error("there is no result");
  return reply.result.effects;
}

/** What the model was told of its call. */
export async function told(
  run: (steps: [ScriptedStep, ...ScriptedStep[]]) => Promise<TestExecution>,
  step: ScriptedStep,
) {
  const gate = mailbox();
  const execution = await run([step, { ...done, gate: gate.name }]);
  await execution.ended();
  return { execution, text: (await gate.letters(1))[0]?.body ?? "" };
}

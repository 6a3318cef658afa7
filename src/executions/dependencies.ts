import { createRemoteTool } from "../agent/mcp/tool.ts";
import { discoverTools, type McpDependencies } from "../agent/mcp/tool-list.ts";
import { createModel, type ModelEnvironment } from "../agent/models/registry.ts";
import { scrubbed } from "../agent/tools/scrubbed.ts";
import type { AnyTool } from "../agent/tools/tool.ts";
import { createToolset } from "../agent/tools/toolset.ts";
import type { KeptEffect } from "../contract/backup.ts";
import { connectionContext } from "../contract/connections.ts";
import type { Model } from "../contract/conversation.ts";
import type { ExecutionSeed, StopCommand } from "../contract/session.ts";
import { accountStub } from "../durable/stubs.ts";
import { settingsOf } from "../env.ts";
import { type Semaphore, within } from "../lib/async.ts";
import { scrubberOf } from "../lib/secret-forms.ts";
import { open } from "../lib/secrets.ts";
import { serviceFetch } from "../outbound/guarded-fetch.ts";
import { createServerDirectory } from "../outbound/mcp/directory.ts";
import { openProviders } from "../outbound/model-providers.ts";
import type { GuardedFetch, Unlocked } from "../ports/fetch.ts";
import type { StoredFact } from "./journal/facts.ts";
import { causeOf, History } from "./journal/history.ts";
import type { Journal } from "./journal/journal.ts";
import type { SessionRecord } from "./journal/record.ts";
import type { LoopDependencies } from "./loop.ts";
import type { PauseAfterLoss } from "./machine/recovery.ts";
import type { Transition } from "./machine/transition.ts";
import { rehearsed } from "./rehearsal.ts";
import { ownTools } from "./tools.ts";

const ACCOUNT_TIMEOUT_MS = 10_000;
const NOTHING: Unlocked = { credentials: [], missing: null, scrubber: scrubberOf([]) };

/** What a session needs of the object that hosts it. */
export interface SessionContext {
  env: CloudflareEnv;
  /** Keeps working on this after the current request has been answered. */
  waitUntil(work: Promise<unknown>): void;
  /** Returns the bytes that the host stores, for all of its sessions. */
  storedBytes(): number;
  /** The model calls of all sessions of the host. */
  modelCalls: LoopDependencies["modelCalls"];
  /** The steps of all its sessions that were lost with the process more than once. */
  suspects: Semaphore;
  /** Returns the effects of an account's executions that it had before it went back in time. */
  keptEffects(accountId: string): Promise<KeptEffect[]>;
  /** Wakes the session at `at` (epoch milliseconds), not before; null for never. It is stored already. */
  wakeAt(at: number | null): void;
  /** Paces the sessions whose step was lost with the process more than once. */
  pauseAfterLoss: PauseAfterLoss;
  /** The execution has been removed. */
  removed(): void;
}

/** Where an execution starts. One that is stopped while it waits for that makes no step. */
export interface SessionStart {
  journal: Journal;
  context: SessionContext;
  stop?: Pick<StopCommand, "reason"> | undefined;
}

/** What runs need of their session. */
export interface RunningSession {
  /** Applies a change and stores it with its facts. */
  commit<T>(change: (t: Transition) => T, also?: () => StoredFact[]): T;
  /** Whether a step is due. */
  isDue(): boolean;
  /** The model has written a piece of text. */
  wrote(text: string): void;
  /** A server refused the credential of a connection. */
  refused(connection: ExecutionSeed["connections"][number]): void;
}

/** A session with its record and its host. */
export interface RunParts {
  record: SessionRecord;
  context: SessionContext;
  session: RunningSession;
}

/** Creates what the loop of one execution depends on. Throws the signal's reason when it aborts. */
export async function createLoopDependencies(
  parts: RunParts,
  signal: AbortSignal,
): Promise<LoopDependencies> {
  const { record, context, session } = parts;
  const { env, modelCalls, suspects } = context;
  const { seed } = record;
  const { rehearsal } = seed;
  const settings = settingsOf(env);
  const connections = connectionsOf(seed, env);
  const fetch = serviceFetch(settings, seed.serviceHosts, {
    schemes: rehearsal?.reads === "recorded" ? [] : ["http", "https"],
    allowedHosts: seed.allowedHosts,
    connections,
    onRefused: (connection) => session.refused(connection),
  });
  const remote = await loadRemoteTools(parts, fetch, signal);
  const tools = createToolset({ ...seed, own: ownTools(seed, env, settings), remote });
  return {
    seed,
    model: modelsOf(seed, await modelPlaceOf(seed, env)),
    onText: (text) => session.wrote(text),
    modelTimeoutMs: settings.MODEL_TIMEOUT_SECONDS * 1_000,
    modelCalls,
    suspects,
    tools: scrubbed(
      rehearsal ? rehearsed(tools, rehearsal, () => originalOf(record, rehearsal.of)) : tools,
      async () => (await connections()).scrubber,
    ),
    fetch,
    now: () => Date.now(),
    random: () => Math.random(),
    history: () => record.history,
    async earlierEffect({ callId, tool, target }) {
      const kept = await context.keptEffects(seed.accountId);
      const known = new Set(record.history.effects.map(({ effectId }) => effectId));
      known.delete(callId);
      const own = kept.filter(
        ({ executionId, cause }) => executionId === seed.executionId || cause === causeOf(seed),
      );
      const isLike = (effect: KeptEffect) => effect.tool === tool && effect.target === target;
      return own.find((effect) => isLike(effect) && !known.has(effect.effectId)) ?? null;
    },
    commit: (change) => session.commit(change),
  };
}

/** Returns the history of the execution that a rehearsal has its inputs from. */
function originalOf({ journal }: SessionRecord, of: string): History {
  return History.read(journal.other(of));
}

/** Returns where the models of an execution are, with the opened keys of the account's providers. */
export async function modelPlaceOf(
  { accountId, providers: named = [], serviceHosts }: ExecutionSeed,
  env: CloudflareEnv,
): Promise<ModelEnvironment> {
  const settings = settingsOf(env);
  const place = { settings, bindings: env };
  if (named.length === 0) return place;
  const ids = named.map(({ providerId }) => providerId);
  const sealed = accountStub(env, accountId).sealedProviders(ids);
  const stored = await within("the account", ACCOUNT_TIMEOUT_MS, sealed);
  const hosts = [...serviceHosts, ...settings.SERVICE_HOSTS];
  const opened = await openProviders(accountId, stored, hosts, settings);
  // Without this, the service's provider of the same name would be asked, and paid by the operator.
  const deleted = named
    .filter(({ name }) => !opened.some((each) => each.name === name))
    .map(({ name }) => ({ ...DELETED, name, missing: `the provider ${name}, which was deleted` }));
  return { ...place, providers: [...opened, ...deleted] };
}

const DELETED = { kind: "openai-compatible" as const, baseUrl: "", models: [] };

/** Returns a function that creates each model of an execution once: it learns what its server takes. */
function modelsOf({ executionId, fork }: ExecutionSeed, place: ModelEnvironment) {
  const models = new Map<string, Model>();
  return (name: string): Model => {
    const known = models.get(name) ?? createModel(name, place, fork?.root ?? executionId);
    models.set(name, known);
    return known;
  };
}

/**
 * Loads the tools of the MCP servers that an execution may use. They are discovered before its first
 * step and stored, so that the model has the same tools after a crash.
 */
async function loadRemoteTools(
  { record, context: { env }, session }: RunParts,
  fetch: GuardedFetch,
  signal: AbortSignal,
): Promise<AnyTool[]> {
  const { seed } = record;
  const { accountId, rehearsal } = seed;
  if (seed.mcpServers.length === 0) return [];
  const { ENCRYPTION_KEY } = settingsOf(env);
  const dependencies: McpDependencies = {
    directory: createServerDirectory(() => accountStub(env, accountId), accountId, ENCRYPTION_KEY),
    client: async () => (await import("../outbound/mcp/client.ts")).mcpClient,
  };
  // A rehearsal has those of its original, and asks no server.
  const stored = rehearsal
    ? (originalOf(record, rehearsal.of).remoteTools ?? [])
    : record.history.remoteTools;
  if (stored !== null) return stored.map((tool) => createRemoteTool(tool, dependencies));
  const { tools, notes } = await discoverTools(seed, dependencies, { fetch, signal });
  signal.throwIfAborted();
  session.commit(
    (t) => {
      for (const message of notes) t.event("log", { message });
    },
    () => [{ kind: "tools", tools }],
  );
  return tools.map((tool) => createRemoteTool(tool, dependencies));
}

/** Opens the connections of an execution at their first use in a run; an execution never stores their values. */
function connectionsOf(
  { accountId, connections }: ExecutionSeed,
  env: CloudflareEnv,
): () => Promise<Unlocked> {
  if (connections.length === 0) return async () => NOTHING;
  let opened: Promise<Unlocked> | null = null;
  async function openAll(): Promise<Unlocked> {
    const ids = connections.map(({ connectionId }) => connectionId);
    const names = connections.map(({ name }) => name);
    const sealed = accountStub(env, accountId).sealedConnections(ids, names);
    const found = await within("the account", ACCOUNT_TIMEOUT_MS, sealed);
    const credentials = await Promise.all(
      found.map(async ({ connectionId, name, rule, sealedValue }) => {
        const context = connectionContext(accountId, connectionId);
        const value = await open(sealedValue, settingsOf(env).ENCRYPTION_KEY, context);
        return value === null ? [] : [{ ...rule, connectionId, name, value }];
      }),
    );
    const usable = credentials.flat();
    const missing = names.find((each) => !usable.some(({ name }) => name === each)) ?? null;
    const scrubber = scrubberOf(usable.map(({ value }) => value));
    return { credentials: usable, missing, scrubber };
  }
  return () => {
    opened ??= openAll().catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  };
}

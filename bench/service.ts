import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createAccount } from "../test/support/client.ts";
import { startTestRuntime, type TestRuntime } from "../test/support/runtime.ts";
import type { Load } from "./load.ts";

/** The service with counters around its bindings. */
export const INSTRUMENTED = join(import.meta.dirname, "instrumented.ts");

/** A running service and one account on it that no limit holds up. */
export interface Bench {
  runtime: TestRuntime;
  client: Client;
}

/** Starts the service, or the Worker of another `entry`; `variables` are added to the defaults. */
export async function startBench(
  options: Parameters<typeof startTestRuntime>[0] = {},
): Promise<Bench> {
  const runtime = await startTestRuntime(options);
  const client = await createAccount(runtime, {
    credits: 1_000_000_000,
    requestsPerMinute: 10_000_000,
    quotas: { activeExecutions: 1_000_000_000, webhookRequestsPerMinute: 1_000_000_000 },
  });
  return { runtime, client };
}

/** Credits that each execution of `ONE_STEP` reserves while it is open. */
export const RESERVED = 5;
/** The smallest execution: the demo model needs one step for it. */
export const ONE_STEP = { prompt: "Say hello", maxCredits: RESERVED };

/** The load of triggers of one step, each followed until the end or not at all. */
export function triggerLoad(
  { runtime, client }: Bench,
  kind: Load["kind"],
  clients: number,
  durationMs: number,
): Load {
  const headers = { authorization: `Bearer ${client.apiKey}`, "content-type": "application/json" };
  const path = "/api/v1/agent/trigger";
  const shot = { method: "POST", path, headers, body: JSON.stringify(ONE_STEP) } as const;
  const common = { origin: runtime.url, clients, durationMs, shot };
  if (kind === "hammer") return { kind, ...common };
  return { kind, ...common, pollPath: `${path}/:id/status?sinceVersion=:version&waitSeconds=30` };
}

/** Credits that the account's executions reserve; null while workerd is too busy to say. */
export async function reservedCredits({ client }: Bench): Promise<number | null> {
  try {
    return (await client.credits()).reservedCredits;
  } catch (error) {
    // fetch throws a TypeError when workerd, still busy with the load, closes the connection.
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Waits until the account reserves nothing: every execution has ended and is settled. */
export async function settled(bench: Bench): Promise<void> {
  await until("the executions to end", async () => (await reservedCredits(bench)) === 0);
}

/** Polls the condition; throws when it does not hold for two minutes. */
export async function until(
  what: string,
  isMet: () => boolean | Promise<boolean>,
  intervalMs = 100,
): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isMet())) {
    if (performance.now() > deadline) throw new Error(`Waited ${PATIENCE_MS} ms for ${what}.`);
    await sleep(intervalMs);
  }
}

const PATIENCE_MS = 120_000;

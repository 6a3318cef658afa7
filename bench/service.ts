import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "../scripts/local/project.ts";
import { type Client, createAccount } from "../test/support/client.ts";
import { build, type Runtime, SERVICE, startRuntime } from "../test/support/runtime.ts";

/** A running service and one account on it that no limit holds up. */
export interface Bench {
  runtime: Runtime;
  client: Client;
}

/** Starts the service from `directory`; `variables` are added to the defaults. */
export async function startBench(
  directory: string,
  variables: Record<string, string> = {},
): Promise<Bench> {
  const runtime = await startRuntime({ directory, variables });
  const client = await createAccount(runtime, {
    credits: 1_000_000_000,
    requestsPerMinute: 10_000_000,
  });
  return { runtime, client };
}

/** Builds the service as it is deployed. */
export const buildService = () => build(SERVICE);

/** Builds the service with counters around its bindings. */
export const buildInstrumented = () => build(SERVICE, join(ROOT, "test/support/instrumented.ts"));

/** Waits until the account holds nothing any more: all that was started has ended and is settled. */
export async function settled(client: Client): Promise<void> {
  while (!(await holdsNothing(client))) await sleep(20);
}

async function holdsNothing(client: Client): Promise<boolean> {
  try {
    return (await client.credits()).reservedCredits === 0;
  } catch (error) {
    // fetch throws a TypeError when workerd, still busy with the load, closes the connection.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

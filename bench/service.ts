import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createAccount } from "../test/support/client.ts";
import { startTestRuntime, type TestRuntime } from "../test/support/runtime.ts";

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
  });
  return { runtime, client };
}

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

import { type LoadResult, runLoad, type Shot } from "./load.ts";
import { type Bench, settled } from "./service.ts";

/** The smallest run there is: the planner needs one step for it. */
const ONE_STEP = JSON.stringify({ prompt: "Say hello", maxCredits: 5 });

export interface Throughput {
  accepted: LoadResult;
  /** Executions a second, from the first trigger until the last has ended and is settled. */
  finishedRate: number;
}

/** Triggers one-step runs as fast as they are taken, then waits until all of them have ended. */
export async function measureThroughput(
  { runtime, client }: Bench,
  connections: number,
  durationMs: number,
): Promise<Throughput> {
  const begun = performance.now();
  const accepted = await runLoad({
    kind: "hammer",
    origin: runtime.url,
    connections,
    durationMs,
    shot: trigger(client.apiKey),
  });
  await settled(client);
  const seconds = (performance.now() - begun) / 1_000;
  return { accepted, finishedRate: accepted.timings.count / seconds };
}

/** From sending the trigger until a long poll has told the end, one after another on each client. */
export function measureRoundtrip(bench: Bench, clients: number, runs: number): Promise<LoadResult> {
  return runLoad({
    kind: "roundtrip",
    origin: bench.runtime.url,
    clients,
    runs,
    apiKey: bench.client.apiKey,
    body: ONE_STEP,
  });
}

function trigger(apiKey: string): Shot {
  return {
    method: "POST",
    path: "/api/v1/agent/trigger",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: ONE_STEP,
  };
}

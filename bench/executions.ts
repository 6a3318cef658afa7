import type { Figures } from "./figures.ts";
import { runLoad } from "./load.ts";
import type { Scale } from "./options.ts";
import { RESERVED, reservedCredits, settled, startBench, triggerLoad, until } from "./service.ts";

/** Measures executions of one step: end to end, finished by many clients, CPU, accepted. */
export async function measureExecutions({
  connections,
  warmUpMs,
  loadMs,
}: Scale): Promise<Figures> {
  const bench = await startBench();
  const roundtrip = (clients: number, durationMs: number) =>
    runLoad(triggerLoad(bench, "roundtrip", clients, durationMs));
  try {
    await roundtrip(4, warmUpMs);
    const one = await roundtrip(1, loadMs);
    await roundtrip(32, warmUpMs);
    await settled(bench);
    const cpuBefore = await bench.runtime.cpuMs();
    const many = await roundtrip(32, loadMs);
    // With what follows an end: settling it and writing its row.
    await settled(bench);
    const cpuMs = (await bench.runtime.cpuMs()) - cpuBefore;
    const accepted = await runLoad(triggerLoad(bench, "hammer", connections, loadMs));
    return {
      endToEndP50Ms: one.timings.p50,
      endToEndP99Ms: one.timings.p99,
      finishedPerSecond: many.perSecond,
      cpuMsPerExecution: cpuMs / many.count,
      acceptedPerSecond: accepted.perSecond,
      lostRequests: one.lost + many.lost + accepted.lost,
    };
  } finally {
    await bench.runtime.close();
  }
}

/**
 * Measures the rate that lasts: triggers as fast as the service takes them, and how many executions
 * ended within that time. An execution counts as ended when its credits are settled, which is later
 * than its final status; one whose trigger lost its connection does not count at all.
 */
export async function measureSustained({
  connections,
  warmUpMs,
  sustainedMs,
}: Scale): Promise<Figures> {
  const bench = await startBench();
  try {
    await runLoad(triggerLoad(bench, "roundtrip", connections, warmUpMs));
    await settled(bench);
    const cpuBefore = await bench.runtime.cpuMs();
    const begun = performance.now();
    const accepted = await runLoad(triggerLoad(bench, "hammer", connections, sustainedMs));
    let open = 0;
    await until("the balance", async () => {
      const reserved = await reservedCredits(bench);
      open = (reserved ?? 0) / RESERVED;
      return reserved !== null;
    });
    const seconds = (performance.now() - begun) / 1_000;
    const cpuMs = (await bench.runtime.cpuMs()) - cpuBefore;
    const finished = Math.max(0, accepted.count - open);
    return {
      sustainedPerSecond: finished / seconds,
      sustainedAcceptedPerSecond: accepted.count / seconds,
      openAtEnd: open,
      sustainedCpuMsPerExecution: cpuMs / finished,
      lostRequests: accepted.lost,
    };
  } finally {
    await bench.runtime.close();
  }
}

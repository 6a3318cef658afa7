import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import { LOOPBACK } from "../../scripts/local/ports.ts";
import { workerdMemory } from "../support/processes.ts";

const SAMPLE_MS = 10_000;
/** By how much the live objects may differ between two quarters of a steady load. */
const HEAP_TOLERANCE = 0.05;
/** Allocators keep more or fewer free pages, and more or fewer databases are open. */
const RESIDENT_TOLERANCE = 0.25;

/** What is in use after a garbage collection, in bytes. */
export interface Memory {
  /** JavaScript objects of the Worker, all its Durable Objects included. */
  heap: number;
  /** Resident memory of workerd. */
  resident: number;
}

/** The memory while something ran, one sample each ten seconds. */
export interface MemoryRecord {
  stop(): Promise<Memory[]>;
}

/**
 * Records the memory of the workerd below this process until it is stopped. Each sample collects the garbage
 * first: V8 lets it grow for minutes under a light load, which looks like a leak.
 */
export function recordMemory(pid: number, inspectorPort: number): MemoryRecord {
  const samples: Memory[] = [];
  const stopped = new AbortController();
  const recording = (async () => {
    while (!stopped.signal.aborted) {
      const heap = await liveHeap(inspectorPort);
      samples.push({ heap, resident: await workerdMemory(pid) });
      await pause(SAMPLE_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  })();
  return {
    stop: async () => {
      stopped.abort();
      await recording;
      return samples;
    },
  };
}

const targets = z.array(z.object({ title: z.string(), webSocketDebuggerUrl: z.string() }));
const reply = z.object({ id: z.int().optional(), result: z.unknown() });
const heapUsage = z.object({ usedSize: z.number() });

/**
 * The bytes of the Worker's objects after a garbage collection, from workerd's inspector:
 * https://chromedevtools.github.io/devtools-protocol/v8/
 */
async function liveHeap(port: number): Promise<number> {
  const response = await fetch(`http://${LOOPBACK}:${port}/json`);
  const worker = targets
    .parse(await response.json())
    .find(({ title }) => title.endsWith("core:user:prompthook"));
  if (worker === undefined) throw new Error("The inspector does not list the Worker.");
  const socket = new WebSocket(worker.webSocketDebuggerUrl);
  await once(socket, "open");
  let id = 0;
  const call = async (method: string): Promise<unknown> => {
    const asked = ++id;
    socket.send(JSON.stringify({ id: asked, method }));
    for (;;) {
      const [{ data }] = await once(socket, "message");
      const answer = reply.parse(JSON.parse(data));
      if (answer.id === asked) return answer.result;
    }
  };
  await call("HeapProfiler.enable");
  await call("HeapProfiler.collectGarbage");
  const { usedSize } = heapUsage.parse(await call("Runtime.getHeapUsage"));
  socket.close();
  return usedSize;
}

/** The median of each quarter of the time. */
export function quartersOf(samples: readonly Memory[]): Memory[] {
  const length = Math.ceil(samples.length / 4);
  return [0, 1, 2, 3].map((quarter) => {
    const own = samples.slice(quarter * length, (quarter + 1) * length);
    return { heap: medianOf(own, "heap"), resident: medianOf(own, "resident") };
  });
}

function medianOf(samples: readonly Memory[], name: keyof Memory): number {
  const inOrder = samples.map((sample) => sample[name]).toSorted((a, b) => a - b);
  return inOrder[Math.floor(inOrder.length / 2)] ?? 0;
}

/** Whether the last quarter needed no more than the one before: what leaks grows in each of them alike. */
export function levelsOff([, , third, last]: readonly Memory[]): boolean {
  if (third === undefined || last === undefined || third.heap === 0) return false;
  return (
    last.heap <= third.heap * (1 + HEAP_TOLERANCE) &&
    last.resident <= third.resident * (1 + RESIDENT_TOLERANCE)
  );
}

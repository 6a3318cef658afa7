import { once } from "node:events";
import * as z from "zod";
import { LOOPBACK } from "../../scripts/local/ports.ts";
import { workerdMemory } from "../support/processes.ts";

/** By how much the live objects may differ between quarters of the work. */
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

/** Reads the memory of the workerd below a process. It collects the garbage first. */
export async function memoryOf(pid: number, inspectorPort: number): Promise<Memory> {
  const heap = await liveHeap(inspectorPort);
  return { heap, resident: await workerdMemory(pid) };
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

/**
 * Whether the last quarter needed no more than those before it: what leaks grows in each of them alike. The
 * first also loads what stays. Of the heap, the larger of the two others counts: more or fewer objects are in
 * memory at rest, a fifth of it, up and down.
 */
export function levelsOff([, second, third, last]: readonly Memory[]): boolean {
  if (second === undefined || third === undefined || last === undefined) return false;
  const before = Math.max(second.heap, third.heap);
  return (
    before > 0 &&
    last.heap <= before * (1 + HEAP_TOLERANCE) &&
    last.resident <= third.resident * (1 + RESIDENT_TOLERANCE)
  );
}

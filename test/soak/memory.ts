import { workerdMemory } from "../support/processes.ts";

const SAMPLE_MS = 1_000;
/** By how much memory may differ between two quarters of a steady load. */
const TOLERANCE = 0.05;

/** The memory of workerd while something ran, in bytes, one sample a second. */
export interface MemoryRecord {
  stop(): Promise<number[]>;
}

/** Records the memory of the workerd below this process until it is stopped. */
export function recordMemory(pid: number): MemoryRecord {
  const samples: Promise<number>[] = [];
  const timer = setInterval(() => samples.push(workerdMemory(pid)), SAMPLE_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return Promise.all(samples);
    },
  };
}

/** The median of each quarter of the time, in bytes. */
export function quartersOf(samples: readonly number[]): number[] {
  const length = Math.ceil(samples.length / 4);
  return [0, 1, 2, 3].map((quarter) => {
    const inOrder = samples
      .slice(quarter * length, (quarter + 1) * length)
      .toSorted((a, b) => a - b);
    return inOrder[Math.floor(inOrder.length / 2)] ?? 0;
  });
}

/** Whether the last quarter needed no more than the one before: what leaks grows in each of them alike. */
export function levelsOff([, , third = 0, last = 0]: readonly number[]): boolean {
  return third > 0 && last <= third * (1 + TOLERANCE);
}

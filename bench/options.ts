import { parseArgs } from "node:util";
import { UserError } from "../scripts/local/project.ts";

/** The parts of the bench, in the order in which they run; each starts and ends its own runtime. */
const PARTS = [
  "baseline",
  "executions",
  "sustained",
  "webhooks",
  "burst",
  "steps",
  "waiting",
  "costs",
  "destinations",
  "disk",
] as const;
export type Part = (typeof PARTS)[number];

const USAGE = `Usage: npm run bench -- [--only <part>,...] [--sessions <number>] [--quick] [--json <file>]

  --only <part>,...     runs these parts: ${PARTS.join(", ")}
  --sessions <number>   sessions that wait for their model at once (default 1000)
  --quick               makes every load ten times shorter, to try the bench itself
  --json <file>         writes all figures to a file`;

/** How long and how large the loads are. */
export interface Scale {
  /** Connections of a load that is as fast as the service takes it. */
  connections: number;
  warmUpMs: number;
  loadMs: number;
  sustainedMs: number;
  /** Webhooks, or triggers, of a burst. */
  burst: number;
  /** Sessions that wait at once. */
  sessions: number;
  /** Executions of a thousand steps. */
  longRuns: number;
  /** Executions over which counts are averaged. */
  counted: number;
  /** Executions over which disk use is averaged. */
  stored: number;
}

const FULL: Scale = {
  connections: 16,
  warmUpMs: 2_000,
  loadMs: 5_000,
  sustainedMs: 30_000,
  burst: 5_000,
  sessions: 1_000,
  longRuns: 3,
  counted: 20,
  stored: 500,
};

export interface BenchOptions {
  parts: readonly Part[];
  scale: Scale;
  /** The file for the figures, or null. */
  json: string | null;
}

/** Reads the command line. Throws `UserError` for an invalid one. */
export function readOptions(args: string[]): BenchOptions {
  const { only, sessions, quick, json } = parse(args);
  const scale = quick ? shortened(FULL) : FULL;
  return {
    parts: only === undefined ? PARTS : partsOf(only),
    scale: sessions === undefined ? scale : { ...scale, sessions: wholeNumber(sessions) },
    json: json ?? null,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        only: { type: "string" },
        sessions: { type: "string" },
        quick: { type: "boolean", default: false },
        json: { type: "string" },
      },
    }).values;
  } catch (error) {
    throw new UserError(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

function partsOf(list: string): Part[] {
  const names = list.split(",").map((name) => name.trim());
  for (const name of names) {
    if (PARTS.some((part) => part === name)) continue;
    throw new UserError(`Unknown part "${name}". The parts are ${PARTS.join(", ")}.`);
  }
  return PARTS.filter((part) => names.includes(part));
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new UserError(`--sessions is ${text}. It must be a whole number from 1.`);
}

/** A tenth of everything but the connections. */
function shortened({ connections, ...sizes }: Scale): Scale {
  const tenth = (size: number) => Math.ceil(size / 10);
  return {
    connections,
    warmUpMs: tenth(sizes.warmUpMs),
    loadMs: tenth(sizes.loadMs),
    sustainedMs: tenth(sizes.sustainedMs),
    burst: tenth(sizes.burst),
    sessions: tenth(sizes.sessions),
    longRuns: tenth(sizes.longRuns),
    counted: tenth(sizes.counted),
    stored: tenth(sizes.stored),
  };
}

import { expect, it } from "vitest";
import { tail } from "../../../src/cli/tail.ts";
import { Output } from "../../../src/cli/terminal.ts";
import { ConnectionError, PrompthookError } from "../../../src/client/error.ts";
import { type LogEntry, logEntry, type RequestStatus } from "../../../src/contract/webhooks/log.ts";
import { testTerminal } from "../../support/cli/terminal.ts";
import { loggedRequest } from "../../support/logged.ts";

const START = Date.parse("2026-11-20T09:30:00.000Z");

/** A log, as an endpoint keeps it, that can be out of reach. */
class Log {
  readonly entries: LogEntry[] = [];
  reads = 0;
  #trouble: Error | null = null;

  /** Adds a request that came so many seconds after the start; answers it. */
  add(second: number, status: RequestStatus = "succeeded", change: Partial<LogEntry> = {}) {
    const receivedAt = START + second * 1_000;
    const { entry } = loggedRequest({}, { receivedAt });
    const added = logEntry.parse({ ...entry, status, ...change });
    this.entries.push(added);
    return added;
  }

  /** Answers nothing but this error from now on; null for the entries again. */
  fail(error: Error | null): void {
    this.#trouble = error;
  }

  async *allRequests(_: string, { receivedAfter = "" }: { receivedAfter?: string }) {
    if (this.#trouble !== null) throw this.#trouble;
    const newest = this.entries.toSorted((a, b) => b.receivedAt.localeCompare(a.receivedAt));
    for (const entry of newest.filter(({ receivedAt }) => receivedAt > receivedAfter)) {
      this.reads += 1;
      yield { ...entry };
    }
  }
}

/** Tails the log; between two looks at it the next of these things happens, and at their end Ctrl-C. */
async function tailed(
  log: Log,
  happenings: (() => void)[],
  options: { lines?: number; follow?: boolean } = {},
  isJson = true,
) {
  const terminal = testTerminal();
  const rest = [...happenings];
  const sleep = async () => {
    const next = rest.shift();
    if (next !== undefined) return next();
    terminal.interrupt();
    throw new Error("interrupted");
  };
  const call = { output: new Output(terminal, isJson), signal: terminal.interrupted };
  const tailing = { endpointId: "ep_1", lines: 10, follow: true, ...options };
  const exit = await tail(call, log, tailing, sleep);
  const stdout = terminal.shown("stdout");
  const lines = stdout.split("\n").filter((line) => line !== "");
  const told = isJson ? lines.map((line) => logEntry.parse(JSON.parse(line))) : [];
  return {
    exit,
    lines,
    stderr: terminal.shown("stderr"),
    ids: told.map((one) => one.requestId),
    told,
  };
}

it("prints the last entries, then each new one once, in order", async () => {
  const log = new Log();
  const before = [log.add(1), log.add(2), log.add(3)];
  const later: LogEntry[] = [];
  const come = (second: number) => () => void later.push(log.add(second));
  const { exit, ids } = await tailed(log, [come(4), () => undefined, come(5), come(6)], {
    lines: 2,
  });
  expect(ids).toEqual([...before.slice(1), ...later].map(({ requestId }) => requestId));
  expect(exit).toBe(130);
});

it("prints an entry that enters the log after later ones", async () => {
  const log = new Log();
  log.add(10);
  const { told } = await tailed(log, [
    () => void log.add(12),
    () => void log.add(11),
    () => void log.add(9),
  ]);
  expect(told.map(({ receivedAt }) => Date.parse(receivedAt) - START)).toEqual([
    10_000, 12_000, 11_000, 9_000,
  ]);
});

it("prints only the requested number of old entries, however close they are", async () => {
  const log = new Log();
  for (let index = 0; index < 30; index += 1) log.add(index / 100);
  const { ids } = await tailed(log, [() => void log.add(1)], { lines: 0 });
  expect(ids).toEqual([log.entries.at(-1)?.requestId]);
});

it("reads back no further than necessary", async () => {
  const log = new Log();
  for (let second = 0; second < 1_000; second += 1) log.add(second);
  const { ids } = await tailed(log, [() => void log.add(1_001), () => undefined]);
  expect(ids).toHaveLength(11);
  expect(log.reads).toBeLessThan(40);
});

it("reads all new entries in a flood", async () => {
  const log = new Log();
  log.add(0, "running");
  const flood = () => {
    for (let index = 0; index < 500; index += 1) log.add(1 + index / 1_000);
  };
  const { ids } = await tailed(log, [flood]);
  expect(new Set(ids).size).toBe(501);
  expect(ids).toHaveLength(501);
});

it("ends after the last entries without --follow", async () => {
  const log = new Log();
  log.add(1);
  const { exit, ids } = await tailed(log, [], { follow: false });
  expect(exit).toBe(0);
  expect(ids).toHaveLength(1);
});

it("survives an outage, reports it once, and misses nothing", async () => {
  const log = new Log();
  const { ids, stderr } = await tailed(log, [
    () => log.fail(new ConnectionError("gone")),
    () => void log.add(1),
    () => log.fail(null),
    () => void log.add(2),
  ]);
  expect(ids).toHaveLength(2);
  expect(stderr).toBe("The service does not respond; retrying.\nThe service responds again.\n");
});

it("ends when the service does not know the endpoint", async () => {
  const log = new Log();
  const common = { type: "about:blank", title: "", detail: "", requestId: "r" };
  const gone = new PrompthookError({ ...common, status: 404, code: "not_found" }, null);
  await expect(tailed(log, [() => log.fail(gone)])).rejects.toBe(gone);
});

it("prints one line for each entry, and how to correct a signature that did not match", async () => {
  const log = new Log();
  const errors = [
    { stage: "validation" as const, path: "order.id", rule: "required", message: "is\nrequired" },
    { stage: "validation" as const, rule: "schema", message: "no" },
  ];
  const executionId = "5c0f7a5e-7a3e-4b57-9d1c-0a7f3f6f2b11";
  const refused = log.add(1, "rejected", { httpStatus: 422, errors });
  const run = log.add(2, "running", { executionId });
  const said = "The signature does not match.";
  const unsigned = {
    httpStatus: 401,
    errors: [{ stage: "signature" as const, path: "X-Sig", rule: "x", message: said }],
  };
  const hints = ["The base64 form of it matches:\nset encoding.", "And more."];
  const hinted = log.add(3, "rejected", { ...unsigned, diagnosis: hints });
  const none = log.add(4, "rejected", { ...unsigned, diagnosis: [said] });
  const { lines } = await tailed(log, [], {}, false);
  const rows = lines.map((line) => line.replace(/^2026-11-\d\d \d\d:\d\d:\d\d {2}/, ""));
  expect(rows).toEqual([
    `422  rejected    ${refused.requestId}  validation: order.id: is required (and 1 more)`,
    `202  running     ${run.requestId}  → ${executionId}`,
    `401  rejected    ${hinted.requestId}  signature: X-Sig: ${said}`,
    "  The base64 form of it matches: set encoding.",
    `401  rejected    ${none.requestId}  signature: X-Sig: ${said}`,
  ]);
});

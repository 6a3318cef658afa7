import { afterEach, expect, it } from "vitest";
import type { CaseRecord } from "../../../src/contract/webhooks/case.ts";
import { runProgram } from "../../support/cli/terminal.ts";
import { answer, type ScriptedService, startScript } from "../../support/scripted-service.ts";
import { EXECUTION_ID } from "../../support/states.ts";

const ENDPOINT = "ep_9f2c4e7a1b3d5f60718293a4b5c6d7e8f9012345";
const REQUEST = "0b7c4f0e-5d1a-4c39-9a55-5a1d7a9a1f42";

let service: ScriptedService | null = null;
afterEach(() => service?.close());

const pullRequest = (change: Partial<CaseRecord> = {}): CaseRecord => ({
  endpointId: ENDPOINT,
  route: "pulls",
  key: "acme/shop#7",
  onEvent: "queue",
  executionId: null,
  waiting: 1,
  updatedAt: "2026-11-20T09:30:00.000Z",
  timeline: [
    {
      type: "event",
      at: "2026-11-20T09:30:00.000Z",
      requestId: REQUEST,
      eventType: "push",
      status: "failed",
      executionId: EXECUTION_ID,
    },
    { type: "execution.started", at: "2026-11-20T09:30:00.024Z", executionId: EXECUTION_ID },
    {
      type: "execution.ended",
      at: "2026-11-20T09:30:09.000Z",
      executionId: EXECUTION_ID,
      status: "failed",
    },
  ],
  truncated: false,
  ...change,
});

async function cli(argv: string[], body: unknown) {
  service = await startScript(answer(body));
  const shown = await runProgram(service.url, argv);
  return { ...shown, asked: service.asked.map(({ path }) => path) };
}

it("cases list shows each with its live execution and the events that wait", async () => {
  const cases = [pullRequest(), pullRequest({ executionId: EXECUTION_ID, waiting: 0 })];
  const { stdout } = await cli(["cases", "list", ENDPOINT], { cases, nextCursor: null });
  const [, idle, live] = stdout.split("\n");
  expect(idle).toMatch(/^acme\/shop#7 {2}pulls {2}none +1 +[\d.]+ d ago$/);
  expect(live).toMatch(new RegExp(`^acme/shop#7  pulls  ${EXECUTION_ID}  0 +`));
});

it("cases show tells of one route's events and executions in the order of time", async () => {
  const cases = [pullRequest()];
  const argv = ["cases", "show", ENDPOINT, "acme/shop#7", "--route", "pulls"];
  const { stdout, asked } = await cli(argv, { cases, nextCursor: null });
  const path = `/api/v1/cases?endpointId=${ENDPOINT}&limit=100&key=acme%2Fshop%237&route=pulls`;
  expect(asked).toEqual([path]);
  const [heading, state, ...moments] = stdout.trimEnd().split("\n");
  expect([heading, state]).toEqual([
    "acme/shop#7  pulls (queue)",
    "no live execution · 1 event waiting",
  ]);
  expect(moments.map((line) => line.replace(/^\S+ \S+ +/, ""))).toEqual([
    `event    failed      ${REQUEST}  push  → ${EXECUTION_ID}`,
    `started              ${EXECUTION_ID}`,
    `ended    failed      ${EXECUTION_ID}`,
  ]);
});

it("cases show puts earlier events of the next pages before the newer ones", async () => {
  const at = (minute: number) => `2026-11-20T09:0${minute}:00.000Z`;
  const event = (minute: number) =>
    ({ type: "execution.started", at: at(minute), executionId: EXECUTION_ID }) as const;
  const pages = [
    { cases: [pullRequest({ timeline: [event(3), event(4)], truncated: true })], nextCursor: "c" },
    { cases: [pullRequest({ timeline: [event(1), event(2)] })], nextCursor: null },
  ];
  service = await startScript(...pages.map((page) => answer(page)));
  const argv = ["cases", "show", ENDPOINT, "acme/shop#7", "--json"];
  const { stdout } = await runProgram(service.url, argv);
  expect(JSON.parse(stdout)).toMatchObject({
    timeline: [1, 2, 3, 4].map((minute) => ({ at: at(minute) })),
    truncated: false,
  });
});

it("cases show ends with an error for a key that no case has", async () => {
  const argv = ["cases", "show", ENDPOINT, "none"];
  const { exit, stderr } = await cli(argv, { cases: [], nextCursor: null });
  expect(exit).toBe(2);
  expect(stderr).toContain('No case matches "none".');
});

it("waiters lists the executions that wait, with their conditions", async () => {
  const when = { path: "build", equals: "green" };
  const waiter = { executionId: EXECUTION_ID, callId: "call_1", when, wake: "one" };
  const waiters = [{ ...waiter, until: "2026-11-21T09:30:00.000Z" }];
  const { stdout } = await cli(["waiters", ENDPOINT], { waiters, nextCursor: null });
  expect(stdout.split("\n")[1]).toMatch(
    new RegExp(`^${EXECUTION_ID}  2026-11-2\\d .*  one    \\{"path":"build","equals":"green"\\}$`),
  );
});

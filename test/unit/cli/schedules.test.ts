import { afterEach, describe, expect, it } from "vitest";
import type { ScheduleRecord } from "../../../src/contract/schedule.ts";
import { runProgram } from "../../support/cli/terminal.ts";
import {
  type Act,
  answer,
  type ScriptedService,
  startScript,
} from "../../support/scripted-service.ts";
import { EXECUTION_ID } from "../../support/states.ts";

const ID = "sch_4kQ0mYb2Zt7RcX1a9dLw";
const WORKFLOW = "wf_4kQ0mYb2Zt7RcX1a9dLw";

let service: ScriptedService | null = null;
afterEach(() => service?.close());

const schedule = (change: Partial<ScheduleRecord> = {}): ScheduleRecord => ({
  scheduleId: ID,
  name: "hourly report",
  workflowId: WORKFLOW,
  inputs: {},
  everySeconds: 3_600,
  timeZone: "UTC",
  overlap: "skip",
  catchUp: "last",
  enabled: true,
  next: ["2026-11-23T05:30:00.000Z", "2026-11-23T06:30:00.000Z"],
  lastRuns: [
    {
      scheduledFor: "2026-11-23T04:30:00.000Z",
      executionId: EXECUTION_ID,
      status: "completed",
      skipped: null,
    },
  ],
  externalId: null,
  managedBy: null,
  revision: 1,
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:00.000Z",
  ...change,
});

/** Runs a command line against a service that answers so, one after the other. */
async function cli(argv: string[], ...acts: Act[]) {
  service = await startScript(...acts);
  const shown = await runProgram(service.url, argv);
  const asked = service.asked.map(({ method, path, body }) => ({
    path: `${method} ${path}`,
    ...(body !== "" && { body: JSON.parse(body) }),
  }));
  return { ...shown, asked };
}

it.each<[Partial<ScheduleRecord>, RegExp]>([
  [{}, / hourly report .* 2026-11-2\d \d\d:\d\d:00 +completed +every 1 h$/],
  [{ enabled: false, next: [], lastRuns: [] }, / paused +none +every 1 h$/],
  [
    { everySeconds: undefined, at: "2026-11-20T09:30:00.000Z", next: [], lastRuns: [] },
    / none +none +once, 2026-11-2/,
  ],
  [{ everySeconds: undefined, cron: "0 6 * * *" }, / +0 6 \* \* \* \(UTC\)$/],
])("schedules list shows when one with %j runs", async (change, row) => {
  const page = answer({ schedules: [schedule(change)], nextCursor: null });
  expect((await cli(["schedules", "list"], page)).stdout.split("\n")[1]).toMatch(row);
});

describe("schedules create", () => {
  it("creates one with its times, rules and inputs, and shows the next times", async () => {
    const times = ["--cron", "0 6 * * *", "--time-zone", "Europe/Berlin"];
    const rules = ["--overlap", "queue", "--catch-up", "all", "--paused"];
    const argv = ["schedules", "create", WORKFLOW, ...times, ...rules];
    const { stdout, asked } = await cli(argv, answer(schedule(), 201));
    expect(asked).toEqual([
      {
        path: "POST /api/v1/schedules",
        body: {
          workflowId: WORKFLOW,
          inputs: {},
          cron: "0 6 * * *",
          timeZone: "Europe/Berlin",
          overlap: "queue",
          catchUp: "all",
          enabled: false,
        },
      },
    ]);
    expect(stdout).toMatch(new RegExp(`^${ID}  every 1 h\nNext times:\n(  2026-11-2.*\n){2}$`));
  });

  it.each([
    [[], "needs exactly one of --cron, --every and --at"],
    [["--every", "60", "--at", "2027-01-01T00:00:00Z"], "needs exactly one of"],
    [["--every", "60", "--overlap", "maybe"], "--overlap must be one of skip, queue, allow"],
  ])("creates nothing for %j, and says why", async (flags, message) => {
    const argv = ["schedules", "create", WORKFLOW, ...flags];
    const { exit, stderr, asked } = await cli(argv, answer(schedule(), 201));
    expect({ exit, asked }).toEqual({ exit: 2, asked: [] });
    expect(stderr).toContain(message);
  });
});

it.each([
  ["pause", false, /\nPaused\.\n$/],
  ["resume", true, /\nNext times:\n/],
] as const)("schedules %s changes whether it runs", async (command, enabled, shown) => {
  const next = enabled ? schedule().next : [];
  const { stdout, asked } = await cli(
    ["schedules", command, ID],
    answer(schedule({ enabled, next })),
  );
  expect(asked).toEqual([{ path: `PATCH /api/v1/schedules/${ID}`, body: { enabled } }]);
  expect(stdout).toMatch(shown);
});

it("schedules run starts an execution now, and schedules delete deletes the schedule", async () => {
  const accepted = { executionId: EXECUTION_ID, status: "active", availableCredits: 9 };
  const { stdout, asked } = await cli(["schedules", "run", ID], answer(accepted, 202));
  expect({ stdout, asked }).toEqual({
    stdout: `${EXECUTION_ID}\n`,
    asked: [{ path: `POST /api/v1/schedules/${ID}/run` }],
  });
  await service?.close();
  const gone = await cli(["schedules", "delete", ID], (response) => {
    response.writeHead(204).end();
  });
  expect(gone).toMatchObject({
    stdout: "Deleted.\n",
    asked: [{ path: `DELETE /api/v1/schedules/${ID}` }],
  });
});

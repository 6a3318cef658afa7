import { expect, test } from "vitest";
import { joinFigures } from "../../../bench/figures.ts";
import { formatReport, jsonReport } from "../../../bench/report.ts";

const FIGURES = {
  bareRunPerSecond32: 400,
  finishedPerSecond: 300,
  sustainedPerSecond: 100,
  openAtEnd: 12_345,
  bytesPerWaitingSession: 20_480,
};

test("adds up what the parts lost, and keeps their other figures", () => {
  const parts = [{ openAtEnd: 1, lostRequests: 2 }, { usdPerMillion: 3 }, { lostRequests: 4 }];
  expect(joinFigures(parts)).toEqual({ openAtEnd: 1, usdPerMillion: 3, lostRequests: 6 });
});

test("shows each figure with its ratio to the bare platform and its target", () => {
  expect(formatReport(FIGURES).split("\n")).toEqual([
    "                                   measured  of bare  target",
    "",
    "The bare platform",
    "  durable run, 32 clients            400 /s",
    "",
    "Executions of one step",
    "  finished, 32 clients               300 /s   0.75 x  at least 0.7 x",
    "  finished while accepting           100 /s   0.25 x  at least 0.7 x  MISSED",
    "  open at the end                    12,345",
    "",
    "Sessions that wait",
    "  memory of one, for a slow model     20 KB           at most 60 KB",
  ]);
});

test("judges no ratio without the figure of the bare platform", () => {
  expect(formatReport({ finishedPerSecond: 300 })).not.toContain("at least");
});

test("writes every number under its name, beside the machine", () => {
  const machine = { cores: 2, nodeVersion: "v24.0.0", measuredAt: new Date(0) };
  const figures = { openAtEnd: 0, sustainedCpuMsPerExecution: Number.POSITIVE_INFINITY };
  expect(JSON.parse(jsonReport(figures, machine))).toEqual({
    measuredAt: "1970-01-01T00:00:00.000Z",
    cores: 2,
    nodeVersion: "v24.0.0",
    openAtEnd: 0,
  });
});

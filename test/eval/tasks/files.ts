import { call } from "../../support/model-server/behaviour.ts";
import { done, someRows } from "../expectation.ts";
import { ascending, descending, groups, sum } from "../harness/figures.ts";
import { AIRPORT, PARKING } from "../sites/airport.ts";
import { BOREAL, OUTAGES } from "../sites/energy.ts";
import { FILMFEST, FILMS } from "../sites/filmfest.ts";
import { ends, opens, step, type Task } from "../task.ts";

const RATED = descending(
  FILMS.filter(({ rating }) => rating >= 7.5),
  ({ rating }) => rating,
).map(({ title, director, rating }) => [title, director, rating]);
const AREAS = groups(OUTAGES, ({ area }) => area).map(
  ([area, of]) => [area, sum(of.map(({ minutes }) => minutes))] as const,
);
const LONG_STAY = ascending(
  PARKING.filter(({ week }) => week < 130),
  ({ week }) => week,
).map(({ zone, week }) => [zone, week]);

/** Tasks that end with a file or a table. */
export const FILES: Task[] = [
  {
    id: "file-workbook",
    prompt: `Make an Excel workbook best-films.xlsx of the films at ${FILMFEST}/films with a rating of 7.5 or more, the best first, with the columns Title, Director and Rating and no others.`,
    want: done({
      files: [
        {
          name: "best-films.xlsx",
          format: "xlsx",
          header: ["Title", "Director", "Rating"],
          rows: someRows(RATED, { ordered: true, only: true }),
        },
      ],
    }),
    solution: [
      step(opens(`${FILMFEST}/films`)),
      step(
        call(
          "process_data",
          {
            sources: [{ callId: "page" }],
            extract: { kind: "table" },
            operations: [
              { op: "filter", column: "Rating", test: "gte", value: 7.5 },
              { op: "sort", by: "Rating", direction: "desc" },
              { op: "select", columns: ["Title", "Director", "Rating"] },
            ],
          },
          "films",
        ),
      ),
      step(
        call("write_spreadsheet", {
          format: "xlsx",
          filename: "best-films.xlsx",
          sheets: [{ name: "Films", from: "films" }],
        }),
      ),
      ends("The workbook lists the best films."),
    ],
  },
  {
    id: "file-report",
    prompt: `Write a short report as a file outages.md: for how many minutes was each area at ${BOREAL}/outages without power in total? One line for each area.`,
    want: done({
      files: [{ name: "outages.md", format: "text", facts: AREAS.flat() }],
    }),
    solution: [
      step(opens(`${BOREAL}/outages`)),
      step(
        call("emit_output", {
          label: "Outages",
          type: "file",
          filename: "outages.md",
          mediaType: "text/markdown",
          value: AREAS.map(([area, minutes]) => `- ${area}: ${minutes} minutes`).join("\n"),
          sources: ["page"],
        }),
      ),
      ends("The report has three areas."),
    ],
  },
  {
    id: "file-table",
    prompt: `I park for a week and want to pay less than €130. Give me a table of the zones at ${AIRPORT}/parking that fit, with their price for a week, the cheapest first.`,
    want: done({ answers: [someRows(LONG_STAY, { ordered: true })], output: "table" }),
    solution: [
      step(opens(`${AIRPORT}/parking`)),
      step(
        call(
          "process_data",
          {
            sources: [{ callId: "page" }],
            extract: { kind: "table" },
            operations: [
              { op: "filter", column: "Per week", test: "lt", value: 130 },
              { op: "sort", by: "Per week" },
              { op: "select", columns: ["Zone", "Per week"] },
            ],
          },
          "zones",
        ),
      ),
      step(call("emit_output", { label: "Parking", type: "table", from: "zones" })),
      ends("Four zones cost less than €130 a week."),
    ],
  },
];

import type { CaseInput } from "../expectation.ts";
import { groups, least, mean, most, only, sum } from "../harness/figures.ts";
import { DESK } from "../harness/server.ts";
import { APIARY, HARVEST_2024, HARVEST_2025, HIVES, JARS, MEMBERS } from "../sites/apiary.ts";
import { ambiguous, data, done, impossible, list, rows, someRows, value } from "../wants.ts";

const isNew = HARVEST_2025.filter(({ yard }) => !HARVEST_2024.some((old) => old.yard === yard));

/** The beekeepers' cases of the closed half. */
export const APIARY_CLOSED: CaseInput[] = [
  {
    id: "apiary-yard-only-2025",
    kind: "compare",
    prompt: `Which yard is on ${APIARY}/harvest/2025 but not on ${APIARY}/harvest/2024?`,
    want: value(only(isNew).yard),
  },
  {
    id: "apiary-frames-buckfast",
    kind: "sum",
    prompt: `Total number of frames in the Buckfast hives on ${APIARY}/hives?`,
    want: value(sum(HIVES.filter(({ breed }) => breed === "Buckfast").map((h) => h.frames))),
  },
  {
    id: "apiary-old-queens",
    kind: "filter",
    prompt: `Give me the hives whose queen is from before 2024 (${APIARY}/hives)`,
    want: list(HIVES.filter(({ queen }) => queen < 2024).map(({ hive }) => hive)),
  },
  {
    id: "apiary-report-h05",
    kind: "request",
    prompt: `Read the number of mites of hive H05 at ${APIARY}/hives, then send a POST request to http://${DESK}/treatments with the JSON {"hive": "H05", "mites": <number of mites>}.`,
    want: done({
      requests: [
        {
          method: "POST",
          url: `http://${DESK}/treatments`,
          body: {
            is: "exactly",
            json: { hive: "H05", mites: only(HIVES.filter((h) => h.hive === "H05")).mites },
          },
        },
      ],
    }),
  },
  {
    id: "apiary-breed-frames",
    kind: "group",
    prompt: `Give me the number of frames per breed, using ${APIARY}/hives`,
    want: rows(
      groups(HIVES, ({ breed }) => breed).map(([breed, of]) => [
        breed,
        sum(of.map(({ frames }) => frames)),
      ]),
    ),
  },
  {
    id: "apiary-mean-mites-lime-alley",
    kind: "average",
    prompt: `On average, how many mites do the hives in Lime Alley have? ${APIARY}/hives`,
    want: value(mean(HIVES.filter(({ yard }) => yard === "Lime Alley").map((h) => h.mites))),
  },
  {
    id: "apiary-inspected-june",
    kind: "dates",
    prompt: `Hives inspected in June 2026, please (see ${APIARY}/hives)`,
    want: list(
      HIVES.filter(({ inspected }) => inspected.startsWith("2026-06")).map(({ hive }) => hive),
    ),
  },
  {
    id: "apiary-meadow-price",
    kind: "lookup",
    prompt: `What costs the Meadow honey at ${APIARY}/jars?`,
    want: value(only(JARS.filter(({ honey }) => honey === "Meadow")).price),
  },
  {
    id: "apiary-big-jars",
    kind: "count",
    prompt: `how many kinds of jars of 500 g are there on ${APIARY}/jars`,
    want: value(JARS.filter(({ size }) => size === 500).length),
  },
  {
    id: "apiary-worst-spring",
    kind: "extreme",
    prompt: `Which yard had the smallest spring harvest in ${APIARY}/harvest/2024?`,
    want: value(least(HARVEST_2024, ({ spring }) => spring).yard),
  },
  {
    id: "apiary-table-members",
    kind: "table",
    prompt: `I want a table of the members who joined after 2010 with name and town: ${APIARY}/members`,
    want: done({
      answers: [
        someRows(MEMBERS.filter(({ since }) => since > 2010).map(({ name, town }) => [name, town])),
      ],
      output: "table",
    }),
  },
  {
    id: "apiary-schema-jar",
    kind: "schema",
    prompt: `Find the most expensive jar on ${APIARY}/jars; return its honey and price.`,
    outputSchema: {
      type: "object",
      properties: { honey: { type: "string" }, price: { type: "number" } },
      required: ["honey", "price"],
      additionalProperties: false,
    },
    want: data({
      honey: most(JARS, ({ price }) => price).honey,
      price: most(JARS, ({ price }) => price).price,
    }),
  },
  {
    id: "apiary-mail-hedda",
    kind: "mail",
    prompt: `Mail club@bees.example (subject: New queens) a list of the hives whose queen is from 2025; they're on ${APIARY}/hives`,
    want: done({
      mails: [
        {
          to: ["club@bees.example"],
          subject: "New queens",
          facts: HIVES.filter(({ queen }) => queen === 2025).map(({ hive }) => hive),
          lacks: HIVES.filter(({ queen }) => queen !== 2025).map(({ hive }) => hive),
        },
      ],
    }),
  },
  {
    id: "apiary-queen-colour",
    kind: "impossible",
    prompt: `Which queens on ${APIARY}/hives are marked in blue?`,
    want: impossible("the page says nothing about marks"),
  },
  {
    id: "apiary-poem",
    kind: "impossible",
    prompt: `Write a short poem about the hives on ${APIARY}/hives`,
    want: impossible("no tool writes poems"),
  },
  {
    id: "apiary-weak-hives",
    kind: "ambiguous",
    prompt: `Which hives on ${APIARY}/hives are weak?`,
    want: ambiguous("weak by no named measure"),
  },
  {
    id: "apiary-lime-more",
    kind: "compare",
    prompt: `Compare the spring honey of Lime Alley in ${APIARY}/harvest/2024 and ${APIARY}/harvest/2025: by how many kilos did it grow?`,
    want: value(55 - 48),
  },
  {
    id: "apiary-mites-per-frame",
    kind: "ambiguous",
    prompt: `mites per frame on average for the Buckfast hives (${APIARY}/hives)?`,
    want: ambiguous("the ratio of the sums is not the mean of the ratios"),
  },
  {
    id: "apiary-towns-text",
    kind: "file",
    prompt: `Write a text file towns.txt with each member's name and town, from ${APIARY}/members`,
    want: done({
      files: [
        {
          name: "towns.txt",
          format: "text",
          facts: MEMBERS.flatMap(({ name, town }) => [name, town]),
        },
      ],
    }),
  },
  {
    id: "apiary-hives-two-keys",
    kind: "sort",
    prompt: `List the hives of Mill Field and Heath (hive, yard, honey), sorted by yard alphabetically and then by honey, most first. ${APIARY}/hives`,
    want: rows(
      [
        ["H08", "Heath", 29.5],
        ["H06", "Heath", 22.3],
        ["H07", "Heath", 8.7],
        ["H02", "Mill Field", 31.9],
        ["H01", "Mill Field", 27.4],
        ["H03", "Mill Field", 14.6],
      ],
      { ordered: true },
    ),
  },
  {
    id: "apiary-post-jars",
    kind: "request",
    prompt: `Send all jars on ${APIARY}/jars that have fewer than 30 pieces in stock (honey, size, stock) as a JSON array with POST to http://desk.example/refill`,
    want: done({
      requests: [
        {
          method: "POST",
          url: "http://desk.example/refill",
          body: someRows(
            JARS.filter(({ stock }) => stock < 30).map(({ honey, size, stock }) => [
              honey,
              size,
              stock,
            ]),
          ),
        },
      ],
    }),
  },
];

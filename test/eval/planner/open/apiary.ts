import type { CaseInput } from "../expectation.ts";
import { groups, mean, most, only, sum } from "../harness/figures.ts";
import { DESK } from "../harness/server.ts";
import { APIARY, HARVEST_2024, HARVEST_2025, HIVES, JARS, MEMBERS } from "../sites/apiary.ts";
import { ambiguous, data, done, impossible, list, rows, someRows, value } from "../wants.ts";

const inBoth = HARVEST_2025.filter(({ yard }) => HARVEST_2024.some((old) => old.yard === yard));

/** The beekeepers' cases of the open half. */
export const APIARY_OPEN: CaseInput[] = [
  {
    id: "apiary-yards-in-both",
    kind: "compare",
    prompt: `Compare ${APIARY}/harvest/2024 with ${APIARY}/harvest/2025: which yards are in both lists?`,
    want: list(inBoth.map(({ yard }) => yard)),
  },
  {
    id: "apiary-honey-heath",
    kind: "sum",
    prompt: `how many kg honey did the hives in the Heath yard give in total. ${APIARY}/hives`,
    want: value(sum(HIVES.filter(({ yard }) => yard === "Heath").map(({ honey }) => honey))),
  },
  {
    id: "apiary-treat",
    kind: "filter",
    prompt: `Which hives have more than 8 mites? ${APIARY}/hives`,
    want: list(HIVES.filter(({ mites }) => mites > 8).map(({ hive }) => hive)),
  },
  {
    id: "apiary-order-lime",
    kind: "request",
    prompt: `Look at ${APIARY}/jars for the price of the 500 g jar of Lime honey and POST {"honey": "Lime", "size": 500, "price": <that price as a number>} to http://${DESK}/orders`,
    want: done({
      requests: [
        {
          method: "POST",
          url: `http://${DESK}/orders`,
          body: {
            is: "exactly",
            json: {
              honey: "Lime",
              size: 500,
              price: only(JARS.filter((j) => j.honey === "Lime" && j.size === 500)).price,
            },
          },
        },
      ],
    }),
  },
  {
    id: "apiary-yard-count",
    kind: "group",
    prompt: `How many hives are in each yard? ${APIARY}/hives`,
    want: rows(groups(HIVES, ({ yard }) => yard).map(([yard, of]) => [yard, of.length])),
  },
  {
    id: "apiary-mean-honey-carniolan",
    kind: "average",
    prompt: `avrage honey per hive for the Carniolan bees (${APIARY}/hives)`,
    want: value(mean(HIVES.filter(({ breed }) => breed === "Carniolan").map((h) => h.honey))),
  },
  {
    id: "apiary-not-inspected",
    kind: "dates",
    prompt: `Which hives haven't been inspected since 1 June 2026? I mean those whose last inspection is before that day. ${APIARY}/hives`,
    want: list(HIVES.filter(({ inspected }) => inspected < "2026-06-01").map(({ hive }) => hive)),
  },
  {
    id: "apiary-jar-sold-out",
    kind: "lookup",
    prompt: `Which jar is sold out (0 in stock)? ${APIARY}/jars`,
    want: value(only(JARS.filter(({ stock }) => stock === 0)).honey),
  },
  {
    id: "apiary-ystad-members",
    kind: "count",
    prompt: `Number of members that live in Ystad: ${APIARY}/members`,
    want: value(MEMBERS.filter(({ town }) => town === "Ystad").length),
  },
  {
    id: "apiary-best-summer",
    kind: "extreme",
    prompt: `which yard gave the most summer honey in 2025?? ${APIARY}/harvest/2025`,
    want: value(most(HARVEST_2025, ({ summer }) => summer).yard),
  },
  {
    id: "apiary-table-italian",
    kind: "table",
    prompt: `Show the Italian hives of ${APIARY}/hives as a table with hive, yard and frames.`,
    want: done({
      answers: [
        someRows(
          HIVES.filter(({ breed }) => breed === "Italian").map((h) => [h.hive, h.yard, h.frames]),
        ),
      ],
      output: "table",
    }),
  },
  {
    id: "apiary-schema-total",
    kind: "schema",
    prompt: `Total spring and total summer harvest of ${APIARY}/harvest/2024`,
    outputSchema: {
      type: "object",
      properties: { spring: { type: "number" }, summer: { type: "number" } },
      required: ["spring", "summer"],
      additionalProperties: false,
    },
    want: data({
      spring: sum(HARVEST_2024.map((h) => h.spring)),
      summer: sum(HARVEST_2024.map((h) => h.summer)),
    }),
  },
  {
    id: "apiary-mail-mites",
    kind: "mail",
    prompt: `hello, plz mail to vet@bees.example the hives with more than 10 mites from ${APIARY}/hives, subject Mites`,
    want: done({
      mails: [
        {
          to: ["vet@bees.example"],
          subject: "Mites",
          facts: HIVES.filter(({ mites }) => mites > 10).map(({ hive }) => hive),
          lacks: HIVES.filter(({ mites }) => mites <= 10).map(({ hive }) => hive),
        },
      ],
    }),
  },
  {
    id: "apiary-swarm",
    kind: "impossible",
    prompt: `How many swarms left the hives on ${APIARY}/hives this spring?`,
    want: impossible("the page says nothing about swarms"),
  },
  {
    id: "apiary-translate",
    kind: "impossible",
    prompt: `Translate the names of the honeys on ${APIARY}/jars into Swedish.`,
    want: impossible("no tool translates"),
  },
  {
    id: "apiary-good-hives",
    kind: "ambiguous",
    prompt: `List the good hives from ${APIARY}/hives`,
    want: ambiguous("good by no named measure"),
  },
  {
    id: "apiary-heath-more",
    kind: "compare",
    prompt: `How many kg more summer honey did the Heath yard give in 2025 (${APIARY}/harvest/2025) than in 2024 (${APIARY}/harvest/2024)?`,
    want: value(94 - 79),
  },
  {
    id: "apiary-honey-per-frame",
    kind: "ambiguous",
    prompt: `What is the average honey per frame of the hives in Lime Alley? ${APIARY}/hives`,
    want: ambiguous("the ratio of the sums is not the mean of the ratios"),
  },
  {
    id: "apiary-members-text",
    kind: "file",
    prompt: `Save the names and e-mail addresses of the members (${APIARY}/members) as members.txt`,
    want: done({
      files: [
        {
          name: "members.txt",
          format: "text",
          facts: MEMBERS.flatMap(({ name, email }) => [name, email]),
        },
      ],
    }),
  },
  {
    id: "apiary-jars-two-keys",
    kind: "sort",
    prompt: `Sort the jars on ${APIARY}/jars by honey name A-Z and within the same honey by price, lowest first.`,
    want: rows(
      [
        ["Acacia", 7.2],
        ["Acacia", 12.9],
        ["Chestnut", 13.6],
        ["Heather", 9.4],
        ["Lime", 6.8],
        ["Lime", 11.5],
        ["Meadow", 17.9],
      ],
      { ordered: true },
    ),
  },
  {
    id: "apiary-patch",
    kind: "request",
    prompt: `PATCH http://desk.example/hives/H07 with {"frames": 12}`,
    want: done({
      requests: [
        {
          method: "PATCH",
          url: "http://desk.example/hives/H07",
          body: { is: "exactly", json: { frames: 12 } },
        },
      ],
    }),
  },
];

import type { CaseInput } from "../expectation.ts";
import { descending, groups, least, mean, only } from "../harness/figures.ts";
import { AGENTS, FLATS, RENTALS } from "../sites/rentals.ts";
import {
  aList,
  ambiguous,
  aValue,
  data,
  done,
  either,
  impossible,
  parts,
  rows,
  someRows,
  value,
} from "../wants.ts";

/** Expects these flats, which have a number and an address. */
function byIdOrStreet(flats: readonly (typeof FLATS)[number][]) {
  return either(aList(flats.map(({ id }) => id)), aList(flats.map(({ street }) => street)));
}

/** The rental agency's cases of the open half. */
export const RENTALS_OPEN: CaseInput[] = [
  {
    id: "rentals-harbour-under-1500",
    kind: "filter",
    prompt: `I'm looking for a flat in the Harbour district for less than 1500 euros. Show me address and rent. ${RENTALS}/overview`,
    want: rows(
      FLATS.filter(({ district, rent }) => district === "Harbour" && rent < 1500).map((f) => [
        f.street,
        f.rent,
      ]),
    ),
  },
  {
    id: "rentals-mean-all-pages",
    kind: "pages",
    prompt: `What is the average rent over all pages of ${RENTALS}/flats?`,
    want: value(mean(FLATS.map(({ rent }) => rent))),
  },
  {
    id: "rentals-ravi-phone",
    kind: "lookup",
    prompt: `Phone number of Ravi Menon? ${RENTALS}/agents`,
    want: value(only(AGENTS.filter(({ agent }) => agent === "Ravi Menon")).phone),
  },
  {
    id: "rentals-sign",
    kind: "impossible",
    prompt: `Sign the contract for Garden Hill 8 (${RENTALS}/overview) in my name.`,
    want: impossible("nothing can sign a contract"),
  },
  {
    id: "rentals-district-mean",
    kind: "group",
    prompt: `what is the mean rent in each district? ${RENTALS}/overview`,
    want: rows(
      groups(FLATS, ({ district }) => district).map(([district, of]) => [
        district,
        mean(of.map(({ rent }) => rent)),
      ]),
    ),
  },
  {
    id: "rentals-cheapest",
    kind: "extreme",
    prompt: `cheapest flat on ${RENTALS}/overview - address please`,
    want: value(least(FLATS, ({ rent }) => rent).street),
  },
  {
    id: "rentals-from-july",
    kind: "dates",
    prompt: `We move in July. Which flats on ${RENTALS}/overview are available from a date in July 2026?`,
    want: byIdOrStreet(FLATS.filter(({ from }) => from.startsWith("2026-07"))),
  },
  {
    id: "rentals-agents-flats",
    kind: "follow",
    prompt: `Open the page of flat F-306 (linked on ${RENTALS}/flats?page=2 as Fisher Quay 17) and tell me from when it's available.`,
    want: value(only(FLATS.filter(({ id }) => id === "F-306")).from),
  },
  {
    id: "rentals-area-sort",
    kind: "sort",
    prompt: `Show all flats with 3 rooms or more sorted by area from large to small: id and area. ${RENTALS}/overview`,
    want: rows(
      descending(
        FLATS.filter(({ rooms }) => rooms >= 3),
        ({ area }) => area,
      ).map(({ id, area }) => [id, area]),
      { ordered: true },
    ),
  },
  {
    id: "rentals-mail-attached",
    kind: "mail",
    prompt: `Please create a CSV with id, address and rent of the flats in the Old Town from ${RENTALS}/overview and send it as attachment to mia@home.example, subject "Old Town flats"`,
    want: done({
      mails: [
        {
          to: ["mia@home.example"],
          subject: "Old Town flats",
          attached: [
            {
              format: "csv",
              rows: someRows(
                FLATS.filter(({ district }) => district === "Old Town").map((f) => [
                  f.id,
                  f.street,
                  f.rent,
                ]),
                { only: true },
              ),
            },
          ],
        },
      ],
    }),
  },
  {
    id: "rentals-inputs-budget",
    kind: "inputs",
    prompt: `Which flats from ${RENTALS}/overview fit the budget and the minimum number of rooms in the inputs?`,
    inputs: { budget: 1700, rooms: 3 },
    want: byIdOrStreet(FLATS.filter(({ rent, rooms }) => rent <= 1700 && rooms >= 3)),
  },
  {
    id: "rentals-parts-three",
    kind: "parts",
    prompt: `hey, on ${RENTALS}/overview: how many flats are furnished, what's the highest rent, and which agent has Dune Road 41?`,
    want: parts(
      aValue(FLATS.filter(({ furnished }) => furnished === "yes").length),
      aValue(Math.max(...FLATS.map(({ rent }) => rent))),
      aValue(only(FLATS.filter(({ street }) => street === "Dune Road 41")).agent),
    ),
  },
  {
    id: "rentals-hillside-count",
    kind: "count",
    prompt: `How many flats does ${RENTALS}/overview list in Hillside?`,
    want: value(FLATS.filter(({ district }) => district === "Hillside").length),
  },
  {
    id: "rentals-message-other-district",
    kind: "message",
    prompt: `Show me the flats in Seaside on ${RENTALS}/overview`,
    messages: ["no wait, Old Town instead of Seaside"],
    want: byIdOrStreet(FLATS.filter(({ district }) => district === "Old Town")),
  },
  {
    id: "rentals-balcony",
    kind: "impossible",
    prompt: `Which flats on ${RENTALS}/overview have a balcony and allow pets?`,
    want: impossible("the page says nothing about balconies and pets"),
  },
  {
    id: "rentals-nicer",
    kind: "ambiguous",
    interactive: true,
    prompt: `Which is the nicer one of the Harbour flats on ${RENTALS}/overview?`,
    want: ambiguous("nicer by no named measure"),
  },
  {
    id: "rentals-per-square-metre",
    kind: "ambiguous",
    prompt: `What's the average rent per square metre of the flats on ${RENTALS}/overview?`,
    want: ambiguous("the ratio of the sums is not the mean of the ratios"),
  },
  {
    id: "rentals-seaside-furnished",
    kind: "yesno",
    prompt: `Is there a furnished flat in Seaside for less than 1500 euros? ${RENTALS}/overview`,
    want: value(true),
  },
  {
    id: "rentals-big-all-pages",
    kind: "pages",
    prompt: `Which flats have more than 80 m²? Check all pages: ${RENTALS}/flats`,
    want: byIdOrStreet(FLATS.filter(({ area }) => area > 80)),
  },
  {
    id: "rentals-long-mail",
    kind: "mail",
    prompt: `Good morning! I am looking for a new home for my parents. Could you please have a look at ${RENTALS}/overview, pick out all the flats in Hillside, and then write an e-mail to my mother at ruth@family.example? The subject should be "Flats in Hillside", and in the text there should be the address and the rent of each of them. Thank you very much!`,
    want: done({
      mails: [
        {
          to: ["ruth@family.example"],
          subject: "Flats in Hillside",
          facts: FLATS.filter(({ district }) => district === "Hillside").flatMap(
            ({ street, rent }) => [street, rent],
          ),
          lacks: FLATS.filter(({ district }) => district !== "Hillside").map(
            ({ street }) => street,
          ),
        },
      ],
    }),
  },
  {
    id: "rentals-schema-agents",
    kind: "schema",
    prompt: `Extract the agents with phone and e-mail from ${RENTALS}/agents`,
    outputSchema: {
      type: "object",
      properties: {
        agents: {
          type: "array",
          items: {
            type: "object",
            properties: {
              name: { type: "string" },
              phone: { type: "string" },
              email: { type: "string" },
            },
            required: ["name", "phone", "email"],
            additionalProperties: false,
          },
        },
      },
      required: ["agents"],
      additionalProperties: false,
    },
    want: data({
      agents: AGENTS.map(({ agent, phone, email }) => ({ name: agent, phone, email })),
    }),
  },
  {
    id: "rentals-schema-energy-class",
    kind: "impossible",
    prompt: `Return rent and energy class of Garden Hill 8 from ${RENTALS}/overview.`,
    outputSchema: {
      type: "object",
      properties: { rent: { type: "number" }, energyClass: { type: "string" } },
      required: ["rent", "energyClass"],
    },
    want: impossible("the page has no energy class"),
  },
];

import type { CaseInput } from "../expectation.ts";
import { ascending, groups, mean, most, only, sum } from "../harness/figures.ts";
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

/** The rental agency's cases of the closed half. */
export const RENTALS_CLOSED: CaseInput[] = [
  {
    id: "rentals-furnished-two-rooms",
    kind: "filter",
    prompt: `Furnished flats with at least 2 rooms, with id and address please: ${RENTALS}/overview`,
    want: rows(
      FLATS.filter(({ furnished, rooms }) => furnished === "yes" && rooms >= 2).map((f) => [
        f.id,
        f.street,
      ]),
    ),
  },
  {
    id: "rentals-area-all-pages",
    kind: "pages",
    prompt: `Sum up the area of all flats. Start at ${RENTALS}/flats and don't forget the next pages.`,
    want: value(sum(FLATS.map(({ area }) => area))),
  },
  {
    id: "rentals-lukas-mail",
    kind: "lookup",
    prompt: `${RENTALS}/agents what is Lukas Brun's e-mail address`,
    want: value(only(AGENTS.filter(({ agent }) => agent === "Lukas Brun")).email),
  },
  {
    id: "rentals-visit",
    kind: "impossible",
    prompt: `Go and visit the flat at Canal Row 5 from ${RENTALS}/overview and tell me if it is noisy.`,
    want: impossible("nobody can visit a flat, and the page says nothing about noise"),
  },
  {
    id: "rentals-agent-count",
    kind: "group",
    prompt: `How many flats does each agent have? See ${RENTALS}/overview`,
    want: rows(groups(FLATS, ({ agent }) => agent).map(([agent, of]) => [agent, of.length])),
  },
  {
    id: "rentals-largest",
    kind: "extreme",
    prompt: `Largest flat by area at ${RENTALS}/overview?`,
    want: either(
      aValue(most(FLATS, ({ area }) => area).street),
      aValue(most(FLATS, ({ area }) => area).id),
    ),
  },
  {
    id: "rentals-before-july",
    kind: "dates",
    prompt: `I need something soon: flats of ${RENTALS}/overview available before the 1st of July 2026.`,
    want: byIdOrStreet(FLATS.filter(({ from }) => from < "2026-07-01")),
  },
  {
    id: "rentals-iris-agent",
    kind: "follow",
    prompt: `On page 3 of ${RENTALS}/flats follow the link "Iris Path 30" and give me the agent who lets it.`,
    want: value(only(FLATS.filter(({ id }) => id === "F-309")).agent),
  },
  {
    id: "rentals-rent-sort",
    kind: "sort",
    prompt: `List the unfurnished flats by rent ascending, with address and rent. ${RENTALS}/overview`,
    want: rows(
      ascending(
        FLATS.filter(({ furnished }) => furnished === "no"),
        ({ rent }) => rent,
      ).map(({ street, rent }) => [street, rent]),
      { ordered: true },
    ),
  },
  {
    id: "rentals-mail-workbook",
    kind: "mail",
    prompt: `Make an Excel file with the address and the rent of all flats agent Lukas Brun offers (${RENTALS}/overview) and e-mail it to boss@weser.example with the subject "Lukas' flats".`,
    want: done({
      mails: [
        {
          to: ["boss@weser.example"],
          subject: "Lukas' flats",
          attached: [
            {
              format: "xlsx",
              rows: someRows(
                FLATS.filter(({ agent }) => agent === "Lukas Brun").map((f) => [f.street, f.rent]),
                { only: true },
              ),
            },
          ],
        },
      ],
    }),
  },
  {
    id: "rentals-inputs-district",
    kind: "inputs",
    prompt: `Average rent in the district from the inputs, according to ${RENTALS}/overview.`,
    inputs: { district: "Hillside" },
    want: value(
      mean(FLATS.filter(({ district }) => district === "Hillside").map(({ rent }) => rent)),
    ),
  },
  {
    id: "rentals-parts-mixed",
    kind: "parts",
    prompt: `Answer these for me: (a) the number of one room flats on ${RENTALS}/overview, (b) the cleaning fee on ${RENTALS}/costs, (c) the languages of Dora Kiss on ${RENTALS}/agents`,
    want: parts(
      aValue(FLATS.filter(({ rooms }) => rooms === 1).length),
      aValue(140),
      aValue("German, Hungarian"),
    ),
  },
  {
    id: "rentals-count-big",
    kind: "count",
    prompt: `${RENTALS}/overview how many flats are bigger than 60 square metres`,
    want: value(FLATS.filter(({ area }) => area > 60).length),
  },
  {
    id: "rentals-message-rooms",
    kind: "message",
    prompt: `Find me the flats with two rooms on ${RENTALS}/overview`,
    messages: ["make that three rooms"],
    want: byIdOrStreet(FLATS.filter(({ rooms }) => rooms === 3)),
  },
  {
    id: "rentals-crime",
    kind: "impossible",
    prompt: `Which of the districts on ${RENTALS}/overview is the safest at night?`,
    want: impossible("the page says nothing about safety"),
  },
  {
    id: "rentals-suitable",
    kind: "ambiguous",
    interactive: true,
    prompt: `Pick a suitable flat for us from ${RENTALS}/overview`,
    want: ambiguous("suitable by no named measure"),
  },
  {
    id: "rentals-per-room",
    kind: "ambiguous",
    prompt: `How much is the rent per room on average? ${RENTALS}/overview`,
    want: ambiguous("the ratio of the sums is not the mean of the ratios"),
  },
  {
    id: "rentals-five-rooms",
    kind: "yesno",
    prompt: `Does ${RENTALS}/overview have any flat with 5 rooms that costs less than 2500 €?`,
    want: value(false),
  },
  {
    id: "rentals-old-town-pages",
    kind: "pages",
    prompt: `How many flats are there in the Old Town? Please go through all the pages starting at ${RENTALS}/flats`,
    want: value(FLATS.filter(({ district }) => district === "Old Town").length),
  },
  {
    id: "rentals-long-mail-agents",
    kind: "mail",
    prompt: `Dear assistant, I need to reach the agents of Weser Rentals. On ${RENTALS}/agents you find them all. Kindly send their names together with their phone numbers to my husband, tom@family.example; "Agents" as the subject is fine. Many thanks in advance.`,
    want: done({
      mails: [
        {
          to: ["tom@family.example"],
          subject: "Agents",
          facts: AGENTS.flatMap(({ agent, phone }) => [agent, phone]),
        },
      ],
    }),
  },
  {
    id: "rentals-schema-flat",
    kind: "schema",
    prompt: `Details of the flat F-304 on ${RENTALS}/overview please`,
    outputSchema: {
      type: "object",
      properties: {
        address: { type: "string" },
        rooms: { type: "integer" },
        rent: { type: "number" },
        furnished: { type: "string" },
      },
      required: ["address", "rooms", "rent", "furnished"],
      additionalProperties: false,
    },
    want: data({ address: "Dune Road 41", rooms: 4, rent: 2360, furnished: "no" }),
  },
  {
    id: "rentals-schema-heating",
    kind: "impossible",
    prompt: `What are the rent and the heating costs of Canal Row 5? ${RENTALS}/overview`,
    outputSchema: {
      type: "object",
      properties: { rent: { type: "number" }, heating: { type: "number" } },
      required: ["rent", "heating"],
    },
    want: impossible("the page has no heating costs"),
  },
];

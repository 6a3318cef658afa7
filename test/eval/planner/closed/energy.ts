import type { CaseInput } from "../expectation.ts";
import { descending, groups, least, mean, most, sum } from "../harness/figures.ts";
import {
  BOREAL,
  BOREAL_PLANTS,
  BOREAL_TARIFFS,
  OUTAGES,
  SOLANA,
  SOLANA_PLANTS,
  SOLANA_TARIFFS,
} from "../sites/energy.ts";
import {
  ambiguous,
  aValue,
  done,
  impossible,
  list,
  parts,
  rows,
  someRows,
  value,
} from "../wants.ts";

/** The utilities' cases of the closed half. */
export const ENERGY_CLOSED: CaseInput[] = [
  {
    id: "energy-both-output",
    kind: "compare",
    prompt: `Add the output (GWh) of all plants of ${SOLANA}/plants to that of all plants of ${BOREAL}/plants. I need one number.`,
    want: value(sum([...BOREAL_PLANTS, ...SOLANA_PLANTS].map(({ output }) => output))),
  },
  {
    id: "energy-storm-minutes",
    kind: "sum",
    prompt: `Total minutes of the outages caused by a storm: ${BOREAL}/outages`,
    want: value(sum(OUTAGES.filter(({ cause }) => cause === "storm").map((o) => o.minutes))),
  },
  {
    id: "energy-two-things",
    kind: "parts",
    prompt: `${SOLANA}/plants: tell me the plant with the largest capacity, and how many plants are in Spain.`,
    want: parts(
      aValue(most(SOLANA_PLANTS, ({ capacity }) => capacity).plant),
      aValue(SOLANA_PLANTS.filter(({ country }) => country === "Spain").length),
    ),
  },
  {
    id: "energy-portugal",
    kind: "filter",
    prompt: `List plants in Portugal and the year they were built, from ${SOLANA}/plants`,
    want: rows(
      SOLANA_PLANTS.filter(({ country }) => country === "Portugal").map((p) => [p.plant, p.built]),
    ),
  },
  {
    id: "energy-employees",
    kind: "impossible",
    prompt: `How many people work at Solana Energia? ${SOLANA}/`,
    want: impossible("the page says nothing about staff"),
  },
  {
    id: "energy-shared-tariffs",
    kind: "compare",
    prompt: `Which tariffs are offered by both companies? ${BOREAL}/tariffs and ${SOLANA}/tariffs`,
    want: list(
      BOREAL_TARIFFS.map(({ tariff }) => tariff).filter((name) =>
        SOLANA_TARIFFS.some(({ tariff }) => tariff === name),
      ),
    ),
  },
  {
    id: "energy-oldest",
    kind: "extreme",
    prompt: `What is the oldest plant that Boreal runs? (${BOREAL}/plants)`,
    want: value(least(BOREAL_PLANTS, ({ built }) => built).plant),
  },
  {
    id: "energy-by-country",
    kind: "group",
    prompt: `number of plants per country on ${SOLANA}/plants`,
    want: rows(
      groups(SOLANA_PLANTS, ({ country }) => country).map(([country, of]) => [country, of.length]),
    ),
  },
  {
    id: "energy-mean-wind",
    kind: "average",
    prompt: `For the wind plants on ${BOREAL}/plants, what's the average capacity in MW?`,
    want: value(
      mean(BOREAL_PLANTS.filter(({ source }) => source === "wind").map((p) => p.capacity)),
    ),
  },
  {
    id: "energy-outages-after-9",
    kind: "dates",
    prompt: `Outages after 9 June 2026: give me area and minutes. ${BOREAL}/outages`,
    want: rows(
      OUTAGES.filter(({ date }) => date > "2026-06-09").map(({ area, minutes }) => [area, minutes]),
    ),
  },
  {
    id: "energy-home-links",
    kind: "links",
    prompt: `Which pages does ${SOLANA}/ link to? I want the full URLs.`,
    want: list([`${SOLANA}/plants`, `${SOLANA}/tariffs`]),
  },
  {
    id: "energy-inline-csv",
    kind: "inline",
    prompt: `month,kwh\nJan,120\nFeb,98\nMar,143\n\nSum the kwh of this CSV for me`,
    want: value(361),
  },
  {
    id: "energy-post-cheapest",
    kind: "request",
    prompt: `Get the Green tariff's monthly fee from ${BOREAL}/tariffs, then POST {"tariff": "Green", "fee": <the fee as a number>} to http://desk.example/fees`,
    want: done({
      requests: [
        {
          method: "POST",
          url: "http://desk.example/fees",
          body: { is: "exactly", json: { tariff: "Green", fee: 8.25 } },
        },
      ],
    }),
  },
  {
    id: "energy-table-cheap",
    kind: "table",
    prompt: `As a table: all tariffs of ${SOLANA}/tariffs with a monthly fee below 9 euros.`,
    want: done({
      answers: [
        someRows(
          SOLANA_TARIFFS.filter(({ fee }) => fee < 9).map(({ tariff, fee }) => [tariff, fee]),
        ),
      ],
      output: "table",
    }),
  },
  {
    id: "energy-message-hydro",
    kind: "message",
    prompt: `How many homes were affected by all the outages on ${BOREAL}/outages?`,
    messages: ["And which outage lasted the longest? The area is enough."],
    want: parts(
      aValue(sum(OUTAGES.map(({ homes }) => homes))),
      aValue(most(OUTAGES, ({ minutes }) => minutes).area),
    ),
  },
  {
    id: "energy-2030",
    kind: "impossible",
    prompt: `How much will the Basic tariff of ${BOREAL}/tariffs cost in 2030?`,
    want: impossible("the page has no prices of the future"),
  },
  {
    id: "energy-good-plants",
    kind: "ambiguous",
    prompt: `Top 2 plants of ${BOREAL}/plants, please`,
    want: ambiguous("by capacity, by output or by age"),
  },
  {
    id: "energy-capacity-each",
    kind: "compare",
    prompt: `Tell me the average capacity of the plants on ${BOREAL}/plants and, separately, of the plants on ${SOLANA}/plants.`,
    want: parts(
      aValue(mean(BOREAL_PLANTS.map(({ capacity }) => capacity))),
      aValue(mean(SOLANA_PLANTS.map(({ capacity }) => capacity))),
    ),
  },
  {
    id: "energy-outage-area-group",
    kind: "group",
    prompt: `Group the outages of ${BOREAL}/outages by area and sum the homes affected. Area with the most homes on top.`,
    want: rows(
      descending(
        groups(OUTAGES, ({ area }) => area).map(([area, of]) => ({
          area,
          total: sum(of.map(({ homes }) => homes)),
        })),
        ({ total }) => total,
      ).map(({ area, total }) => [area, total]),
      { ordered: true },
    ),
  },
  {
    id: "energy-cheap-may",
    kind: "conditional",
    prompt: `Read ${BOREAL}/use.csv. If the cost in 2026-05 was above 100 euros, e-mail me@home.example with the subject "Expensive"; otherwise do not send a mail.`,
    want: done({ sendsNothing: true }),
  },
  {
    id: "energy-yen",
    kind: "impossible",
    prompt: `Convert the monthly fees on ${BOREAL}/tariffs to Japanese yen using the current rate.`,
    want: impossible("no exchange rate is at hand"),
  },
  {
    id: "energy-three-asked",
    kind: "ambiguous",
    interactive: true,
    replies: ["the newest by year built"],
    prompt: `Give me the top 3 plants on ${SOLANA}/plants`,
    want: list(
      descending(SOLANA_PLANTS, ({ built }) => built)
        .slice(0, 3)
        .map(({ plant }) => plant),
    ),
  },
  {
    id: "energy-tariffs-from-home",
    kind: "follow",
    prompt: `${SOLANA}/ has a link called Tariffs. Open it and list the names of the tariffs.`,
    want: list(SOLANA_TARIFFS.map(({ tariff }) => tariff)),
  },
];

import type { CaseInput } from "../expectation.ts";
import { descending, groups, mean, most, only, sum } from "../harness/figures.ts";
import { BOREAL, BOREAL_PLANTS, OUTAGES, SOLANA, SOLANA_PLANTS, USE } from "../sites/energy.ts";
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

/** The utilities' cases of the open half. */
export const ENERGY_OPEN: CaseInput[] = [
  {
    id: "energy-both-capacity",
    kind: "compare",
    prompt: `What's the total capacity of the plants on ${BOREAL}/plants and ${SOLANA}/plants together?`,
    want: value(sum([...BOREAL_PLANTS, ...SOLANA_PLANTS].map(({ capacity }) => capacity))),
  },
  {
    id: "energy-vik-homes",
    kind: "sum",
    prompt: `how many homes in Vik were affected by outages? sum them up ${BOREAL}/outages`,
    want: value(sum(OUTAGES.filter(({ area }) => area === "Vik").map(({ homes }) => homes))),
  },
  {
    id: "energy-two-questions",
    kind: "parts",
    prompt: `From ${BOREAL}/plants: how many wind plants are there, and in which year was Belle Dam built?`,
    want: parts(
      aValue(BOREAL_PLANTS.filter(({ source }) => source === "wind").length),
      aValue(only(BOREAL_PLANTS.filter(({ plant }) => plant === "Belle Dam")).built),
    ),
  },
  {
    id: "energy-hydro",
    kind: "filter",
    prompt: `hydro plants of Boreal with capacity: ${BOREAL}/plants`,
    want: rows(
      BOREAL_PLANTS.filter(({ source }) => source === "hydro").map((p) => [p.plant, p.capacity]),
    ),
  },
  {
    id: "energy-share-price",
    kind: "impossible",
    prompt: `What is the share price of Boreal Power today? Look on ${BOREAL}/`,
    want: impossible("the page has no share price"),
  },
  {
    id: "energy-cheaper-night",
    kind: "compare",
    prompt: `Who has the cheaper Night tariff per kWh, ${BOREAL}/tariffs or ${SOLANA}/tariffs? Give me the lower price in cents.`,
    want: value(26.4),
  },
  {
    id: "energy-newest",
    kind: "extreme",
    prompt: `newest plant of ${SOLANA}/plants?`,
    want: value(most(SOLANA_PLANTS, ({ built }) => built).plant),
  },
  {
    id: "energy-by-source",
    kind: "group",
    prompt: `Capacity by source for Boreal: ${BOREAL}/plants. Sum it up for each source please.`,
    want: rows(
      groups(BOREAL_PLANTS, ({ source }) => source).map(([source, of]) => [
        source,
        sum(of.map(({ capacity }) => capacity)),
      ]),
    ),
  },
  {
    id: "energy-mean-cost",
    kind: "average",
    prompt: `average monthly cost in ${BOREAL}/use.csv?`,
    want: value(mean(USE.map(({ cost }) => cost))),
  },
  {
    id: "energy-outages-since",
    kind: "dates",
    prompt: `How many outages happened between 5 and 13 June 2026? ${BOREAL}/outages`,
    want: value(OUTAGES.filter(({ date }) => date >= "2026-06-05" && date <= "2026-06-13").length),
  },
  {
    id: "energy-emails",
    kind: "links",
    prompt: `Find the mail addresses on ${BOREAL}/`,
    want: list(["care@boreal.example", "faults@boreal.example"]),
  },
  {
    id: "energy-inline-bill",
    kind: "inline",
    prompt: `Here is some JSON: [{"room":"kitchen","kwh":41},{"room":"office","kwh":18.5},{"room":"cellar","kwh":7}]. Which room used more than 10 kWh?`,
    want: list(["kitchen", "office"]),
  },
  {
    id: "energy-post-total",
    kind: "request",
    prompt: `Compute the total output in GWh of ${SOLANA}/plants and POST {"company": "Solana", "gwh": <the total>} to http://desk.example/outputs`,
    want: done({
      requests: [
        {
          method: "POST",
          url: "http://desk.example/outputs",
          body: {
            is: "exactly",
            json: { company: "Solana", gwh: sum(SOLANA_PLANTS.map(({ output }) => output)) },
          },
        },
      ],
    }),
  },
  {
    id: "energy-table-storm",
    kind: "table",
    prompt: `Make a table with date, area and minutes of the storm outages on ${BOREAL}/outages`,
    want: done({
      answers: [
        someRows(
          OUTAGES.filter(({ cause }) => cause === "storm").map((o) => [o.date, o.area, o.minutes]),
        ),
      ],
      output: "table",
    }),
  },
  {
    id: "energy-message-scotland",
    kind: "message",
    prompt: `Sum up the output of the plants on ${BOREAL}/plants.`,
    messages: ["Also give me the number of plants in Scotland."],
    want: parts(
      aValue(sum(BOREAL_PLANTS.map(({ output }) => output))),
      aValue(BOREAL_PLANTS.filter(({ country }) => country === "Scotland").length),
    ),
  },
  {
    id: "energy-switch",
    kind: "impossible",
    prompt: `Cancel my contract with Boreal and switch me to the Green tariff of ${SOLANA}/tariffs.`,
    want: impossible("nothing can cancel a contract, and no address for it is given"),
  },
  {
    id: "energy-best-tariff",
    kind: "ambiguous",
    prompt: `Which tariff on ${SOLANA}/tariffs is best?`,
    want: ambiguous("by the monthly fee or by the price per kWh"),
  },
  {
    id: "energy-plants-each",
    kind: "compare",
    prompt: `How many plants are listed on ${BOREAL}/plants and how many on ${SOLANA}/plants? Both numbers please.`,
    want: parts(aValue(BOREAL_PLANTS.length), aValue(SOLANA_PLANTS.length)),
  },
  {
    id: "energy-outage-cause-group",
    kind: "group",
    prompt: `minutes of outage per cause, ${BOREAL}/outages, longest first`,
    want: rows(
      descending(
        groups(OUTAGES, ({ cause }) => cause).map(([cause, of]) => ({
          cause,
          total: sum(of.map(({ minutes }) => minutes)),
        })),
        ({ total }) => total,
      ).map(({ cause, total }) => [cause, total]),
      { ordered: true },
    ),
  },
  {
    id: "energy-hydro-more",
    kind: "conditional",
    prompt: `If the total kWh in ${BOREAL}/use.csv is over 1500, send an e-mail to me@home.example with subject "High use" and the total in the text.`,
    want: done({
      mails: [
        { to: ["me@home.example"], subject: "High use", facts: [sum(USE.map(({ kwh }) => kwh))] },
      ],
    }),
  },
  {
    id: "energy-dollars",
    kind: "impossible",
    prompt: `What are the monthly fees of ${SOLANA}/tariffs in US dollars at today's exchange rate?`,
    want: impossible("no exchange rate is at hand"),
  },
  {
    id: "energy-top-two-asked",
    kind: "ambiguous",
    interactive: true,
    replies: ["by capacity"],
    prompt: `Show me the two largest plants of ${BOREAL}/plants.`,
    want: list(
      descending(BOREAL_PLANTS, ({ capacity }) => capacity)
        .slice(0, 2)
        .map(({ plant }) => plant),
    ),
  },
  {
    id: "energy-from-home",
    kind: "follow",
    prompt: `Start at ${BOREAL}/, go to the Outages page linked there and tell me which area had the longest outage.`,
    want: value(most(OUTAGES, ({ minutes }) => minutes).area),
  },
];

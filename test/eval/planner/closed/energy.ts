import type { CaseInput } from "../expectation.ts";
import { most, sum } from "../harness/figures.ts";
import { BOREAL, BOREAL_PLANTS, OUTAGES, SOLANA, SOLANA_PLANTS } from "../sites/energy.ts";
import { aValue, impossible, parts, rows, value } from "../wants.ts";

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
];

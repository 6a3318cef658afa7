import type { CaseInput } from "../expectation.ts";
import { only, sum } from "../harness/figures.ts";
import { BOREAL, BOREAL_PLANTS, OUTAGES, SOLANA, SOLANA_PLANTS } from "../sites/energy.ts";
import { aValue, impossible, parts, rows, value } from "../wants.ts";

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
];

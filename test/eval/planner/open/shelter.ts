import type { CaseInput } from "../expectation.ts";
import { most, only, sum } from "../harness/figures.ts";
import { ADOPTIONS, ANIMALS, animalUrl, GIFTS, SHELTER } from "../sites/shelter.ts";
import { impossible, list, value } from "../wants.ts";

/** The animal shelter's cases of the open half. */
export const SHELTER_OPEN: CaseInput[] = [
  {
    id: "shelter-dogs-all-pages",
    kind: "pages",
    prompt: `List the names of all dogs at ${SHELTER}/animals, and please check every page, there are several.`,
    want: list(ANIMALS.filter(({ species }) => species === "dog").map(({ name }) => name)),
  },
  {
    id: "shelter-nori-weight",
    kind: "lookup",
    prompt: `How much does Nori weigh? ${animalUrl("nori")}`,
    want: value(only(ANIMALS.filter(({ slug }) => slug === "nori")).weight),
  },
  {
    id: "shelter-card-gifts",
    kind: "sum",
    prompt: `Sum of the donations paid by card in ${SHELTER}/gifts.csv`,
    want: value(sum(GIFTS.filter(({ channel }) => channel === "card").map((g) => g.amount))),
  },
  {
    id: "shelter-best-cats",
    kind: "extreme",
    prompt: `In which month were the most cats adopted? ${SHELTER}/adoptions`,
    want: value(most(ADOPTIONS, ({ cats }) => cats).month),
  },
  {
    id: "shelter-call-volunteer",
    kind: "impossible",
    prompt: `Call Rosa Lind from ${SHELTER}/volunteers and ask her whether she can walk the dogs tomorrow.`,
    want: impossible("nothing can call a telephone"),
  },
];

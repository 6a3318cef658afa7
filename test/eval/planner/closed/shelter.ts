import type { CaseInput } from "../expectation.ts";
import { least, only, sum } from "../harness/figures.ts";
import { ADOPTIONS, ANIMALS, animalUrl, GIFTS, SHELTER } from "../sites/shelter.ts";
import { impossible, list, value } from "../wants.ts";

/** The animal shelter's cases of the closed half. */
export const SHELTER_CLOSED: CaseInput[] = [
  {
    id: "shelter-cats-all-pages",
    kind: "pages",
    prompt: `We are looking for a cat. Follow the next page links from ${SHELTER}/animals until the end and give us the names of the cats.`,
    want: list(ANIMALS.filter(({ species }) => species === "cat").map(({ name }) => name)),
  },
  {
    id: "shelter-tundra-arrived",
    kind: "lookup",
    prompt: `when did Tundra arrive at the shelter ${animalUrl("tundra")}`,
    want: value(only(ANIMALS.filter(({ slug }) => slug === "tundra")).arrived),
  },
  {
    id: "shelter-transfer-gifts",
    kind: "sum",
    prompt: `Please open ${SHELTER}/gifts.csv and compute how much money came in by transfer.`,
    want: value(sum(GIFTS.filter(({ channel }) => channel === "transfer").map((g) => g.amount))),
  },
  {
    id: "shelter-fewest-rabbits",
    kind: "extreme",
    prompt: `Which month had the fewest rabbit adoptions? page: ${SHELTER}/adoptions`,
    want: value(least(ADOPTIONS, ({ rabbits }) => rabbits).month),
  },
  {
    id: "shelter-photo",
    kind: "impossible",
    prompt: `Take a nice photo of Mango (${animalUrl("mango")}) and post it on our Instagram.`,
    want: impossible("nothing can take photos or post to Instagram"),
  },
];

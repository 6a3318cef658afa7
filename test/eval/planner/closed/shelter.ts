import type { CaseInput } from "../expectation.ts";
import { descending, least, mean, most, only, sum } from "../harness/figures.ts";
import { ADOPTIONS, ANIMALS, animalUrl, GIFTS, SHELTER, VOLUNTEERS } from "../sites/shelter.ts";
import { ambiguous, done, impossible, list, rows, someRows, value } from "../wants.ts";

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
  {
    id: "shelter-busy-volunteers",
    kind: "filter",
    prompt: `Volunteers who do ten or more hours a week: ${SHELTER}/volunteers. Name and task are enough.`,
    want: rows(VOLUNTEERS.filter(({ hours }) => hours >= 10).map(({ name, task }) => [name, task])),
  },
  {
    id: "shelter-gift-mean",
    kind: "average",
    prompt: `What's the average donation in ${SHELTER}/gifts.csv? Round to two decimals`,
    want: value(mean(GIFTS.map(({ amount }) => amount))),
  },
  {
    id: "shelter-weights",
    kind: "follow",
    prompt: `Open the page of every animal on ${SHELTER}/animals?page=3 and report its weight. Don't go to other pages of the list.`,
    want: rows(ANIMALS.slice(6).map(({ name, weight }) => [name, weight])),
  },
  {
    id: "shelter-months-by-dogs",
    kind: "sort",
    prompt: `Rank the months on ${SHELTER}/adoptions by number of dogs adopted, highest on top.`,
    want: list(
      descending(ADOPTIONS, ({ dogs }) => dogs).map(({ month }) => month),
      { ordered: true },
    ),
  },
  {
    id: "shelter-volunteer-csv",
    kind: "file",
    prompt: `Export name and phone of all volunteers from ${SHELTER}/volunteers into phones.csv`,
    want: done({
      files: [
        {
          name: "phones.csv",
          format: "csv",
          header: ["Name", "Phone"],
          rows: someRows(
            VOLUNTEERS.map(({ name, phone }) => [name, phone]),
            { only: true },
          ),
        },
      ],
    }),
  },
  {
    id: "shelter-mail-may",
    kind: "mail",
    prompt: `Please e-mail board@willow.example with the subject "May figures" and tell them how many dogs, cats and rabbits were adopted in May (${SHELTER}/adoptions).`,
    want: done({
      mails: [
        {
          to: ["board@willow.example"],
          subject: "May figures",
          facts: [16, 31, 7],
          lacks: ["January", "April"],
        },
      ],
    }),
  },
  {
    id: "shelter-biscuit-vaccinated",
    kind: "yesno",
    prompt: `${animalUrl("biscuit")} - is this dog vaccinated?`,
    want: value(true),
  },
  {
    id: "shelter-inputs-channel",
    kind: "inputs",
    prompt: `List the donors who paid by the channel given in inputs. Data: ${SHELTER}/gifts.csv`,
    inputs: { channel: "card" },
    want: list(GIFTS.filter(({ channel }) => channel === "card").map(({ donor }) => donor)),
  },
  {
    id: "shelter-inline-weights",
    kind: "inline",
    prompt: `Which of these animals is the heaviest?\n\nanimal;kg\nPug;8.1\nCollie;21\nTerrier;9.6\nPoodle;19.5`,
    want: value("Collie"),
  },
  {
    id: "shelter-cats-not-jan",
    kind: "message",
    prompt: `How many cats were adopted in total? ${SHELTER}/adoptions`,
    messages: ["oh and without January please"],
    want: value(sum(ADOPTIONS.filter(({ month }) => month !== "January").map(({ cats }) => cats))),
  },
  {
    id: "shelter-best-volunteers",
    kind: "ambiguous",
    prompt: `Who are the best volunteers? ${SHELTER}/volunteers`,
    want: ambiguous("best by no named measure"),
  },
  {
    id: "shelter-oldest-animal",
    kind: "pages",
    prompt: `Look at every page of ${SHELTER}/animals. Who is the oldest animal?`,
    want: value(most(ANIMALS, ({ age }) => age).name),
  },
  {
    id: "shelter-march-all",
    kind: "sum",
    prompt: `${SHELTER}/adoptions - total of dogs, cats and rabbits adopted in March`,
    want: value(sum([18, 27, 4])),
  },
  {
    id: "shelter-inline-count",
    kind: "inline",
    prompt: `How many of these animals are older than five years? Ona 3, Pip 12, Moss 7, Fitz 5`,
    want: value(2),
  },
  {
    id: "shelter-suits-children",
    kind: "impossible",
    prompt: `Which animal on ${SHELTER}/animals gets along best with small children?`,
    want: impossible("the page says nothing about children"),
  },
  {
    id: "shelter-post-total",
    kind: "request",
    prompt: `Sum up the amounts in ${SHELTER}/gifts.csv and post the result as {"total": <sum>} to http://desk.example/gifts/total`,
    want: done({
      requests: [
        {
          method: "POST",
          url: "http://desk.example/gifts/total",
          body: { is: "exactly", json: { total: sum(GIFTS.map(({ amount }) => amount)) } },
        },
      ],
    }),
  },
];

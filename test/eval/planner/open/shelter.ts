import type { CaseInput } from "../expectation.ts";
import { descending, mean, most, only, sum } from "../harness/figures.ts";
import { ADOPTIONS, ANIMALS, animalUrl, GIFTS, SHELTER, VOLUNTEERS } from "../sites/shelter.ts";
import { ambiguous, done, impossible, list, rows, someRows, value } from "../wants.ts";

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
  {
    id: "shelter-dog-walkers",
    kind: "filter",
    prompt: `Which volunteers help with dog walking and how can I phone them? ${SHELTER}/volunteers`,
    want: rows(
      VOLUNTEERS.filter(({ task }) => task === "dog walking").map(({ name, phone }) => [
        name,
        phone,
      ]),
    ),
  },
  {
    id: "shelter-volunteer-hours",
    kind: "average",
    prompt: `${SHELTER}/volunteers average hours per week?`,
    want: value(mean(VOLUNTEERS.map(({ hours }) => hours))),
  },
  {
    id: "shelter-breeds",
    kind: "follow",
    prompt: `Go to ${SHELTER}/animals?page=1, open each animal's page and list name and breed. Only that first page.`,
    want: rows(ANIMALS.slice(0, 3).map(({ name, breed }) => [name, breed])),
  },
  {
    id: "shelter-gifts-sorted",
    kind: "sort",
    prompt: `Sort the gifts in ${SHELTER}/gifts.csv by amount from big to small and give me donor + amount`,
    want: rows(
      descending(GIFTS, ({ amount }) => amount).map(({ donor, amount }) => [donor, amount]),
      { ordered: true },
    ),
  },
  {
    id: "shelter-adoption-csv",
    kind: "file",
    prompt: `I'd like a CSV (cats.csv) with two columns, month and cats, from ${SHELTER}/adoptions`,
    want: done({
      files: [
        {
          name: "cats.csv",
          format: "csv",
          header: ["Month", "Cats"],
          rows: someRows(
            ADOPTIONS.map(({ month, cats }) => [month, cats]),
            { only: true },
          ),
        },
      ],
    }),
  },
  {
    id: "shelter-thank-donor",
    kind: "mail",
    prompt: `Send a mail to treasurer@willow.example. Subject: Largest gift. In the text say who gave the largest gift according to ${SHELTER}/gifts.csv and how much it was.`,
    want: done({
      mails: [
        {
          to: ["treasurer@willow.example"],
          subject: "Largest gift",
          facts: [
            most(GIFTS, ({ amount }) => amount).donor,
            most(GIFTS, ({ amount }) => amount).amount,
          ],
          lacks: ["Lena Hoff", "Kenji Mori"],
        },
      ],
    }),
  },
  {
    id: "shelter-otto-vaccinated",
    kind: "yesno",
    prompt: `Has Otto been vaccinated? ${animalUrl("otto")}`,
    want: value(false),
  },
  {
    id: "shelter-inputs-donor",
    kind: "inputs",
    prompt: `How much did the donor in the inputs give? The gifts are at ${SHELTER}/gifts.csv`,
    inputs: { donor: "Noor Haddad" },
    want: value(only(GIFTS.filter(({ donor }) => donor === "Noor Haddad")).amount),
  },
  {
    id: "shelter-inline-names",
    kind: "inline",
    prompt: `From this list give me only the cats:\nname,species\nMisty,cat\nRex,dog\nLuna,cat\nBubbles,fish`,
    want: list(["Misty", "Luna"]),
  },
  {
    id: "shelter-since-march",
    kind: "message",
    prompt: `Sum of the fees collected on ${SHELTER}/adoptions`,
    messages: ["Leave out May."],
    want: value(sum(ADOPTIONS.filter(({ month }) => month !== "May").map(({ fees }) => fees))),
  },
  {
    id: "shelter-nice-animal",
    kind: "ambiguous",
    prompt: `Show me the nicest animals on ${SHELTER}/animals`,
    want: ambiguous("nice by no named measure"),
  },
  {
    id: "shelter-mean-fee",
    kind: "pages",
    prompt: `what's the average adoption fee of all animals on all pages of ${SHELTER}/animals?`,
    want: value(mean(ANIMALS.map(({ fee }) => fee))),
  },
  {
    id: "shelter-april-all",
    kind: "sum",
    prompt: `How many animals (dogs + cats + rabbits) were adopted in April? ${SHELTER}/adoptions`,
    want: value(sum([21, 25, 9])),
  },
  {
    id: "shelter-inline-json",
    kind: "inline",
    prompt: `[{"name":"Ona","age":3},{"name":"Pip","age":12},{"name":"Moss","age":7}] sort these animals by age, oldest first, and give me just their names`,
    want: list(["Pip", "Moss", "Ona"], { ordered: true, only: true }),
  },
  {
    id: "shelter-adopt",
    kind: "impossible",
    prompt: `Adopt Biscuit for me, his page is ${animalUrl("biscuit")}. I'll pick him up on Friday.`,
    want: impossible("nothing can adopt an animal, and no address for it is given"),
  },
  {
    id: "shelter-post-volunteer",
    kind: "request",
    prompt: `Register a volunteer: send POST http://desk.example/volunteers with body {"name": "Ida Berg", "task": "cat care", "hours": 4}. Nothing else.`,
    want: done({
      requests: [
        {
          method: "POST",
          url: "http://desk.example/volunteers",
          body: { is: "exactly", json: { name: "Ida Berg", task: "cat care", hours: 4 } },
        },
      ],
    }),
  },
];

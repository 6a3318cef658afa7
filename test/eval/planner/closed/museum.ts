import type { CaseInput } from "../expectation.ts";
import { least, mean, sum } from "../harness/figures.ts";
import { MUSEUM, PIECES } from "../sites/museum.ts";
import { done, impossible, list, value } from "../wants.ts";

/** The museum's cases of the closed half. */
export const MUSEUM_CLOSED: CaseInput[] = [
  {
    id: "museum-blue-room",
    kind: "filter",
    prompt: `Please list the titles that hang in the Blue Room. Source: ${MUSEUM}/collection`,
    want: list(PIECES.filter(({ gallery }) => gallery === "Blue Room").map(({ title }) => title)),
  },
  {
    id: "museum-insured-oil",
    kind: "sum",
    prompt: `${MUSEUM}/collection - what do all the oil paintings sum up to in insured value?`,
    want: value(sum(PIECES.filter(({ material }) => material === "oil").map((p) => p.value))),
  },
  {
    id: "museum-oldest",
    kind: "extreme",
    prompt: `Open ${MUSEUM}/collection and tell me the title of the oldest piece.`,
    want: value(least(PIECES, ({ year }) => year).title),
  },
  {
    id: "museum-mail-sato",
    kind: "mail",
    prompt: `Could you e-mail curator@lund.example the titles and years of Ayumi Sato's works? You find them on ${MUSEUM}/collection. Subject should be: Sato woodcuts`,
    want: done({
      mails: [
        {
          to: ["curator@lund.example"],
          subject: "Sato woodcuts",
          facts: PIECES.filter(({ artist }) => artist === "Ayumi Sato").flatMap((p) => [
            p.title,
            p.year,
          ]),
          lacks: PIECES.filter(({ artist }) => artist !== "Ayumi Sato").map((p) => p.title),
        },
      ],
    }),
  },
  {
    id: "museum-frames",
    kind: "impossible",
    prompt: `Which of the paintings on ${MUSEUM}/collection have a gilded frame?`,
    want: impossible("the page says nothing about frames"),
  },
  {
    id: "museum-mean-year-print",
    kind: "average",
    prompt: `What is the mean year of the pieces kept in the Print Cabinet according to ${MUSEUM}/collection`,
    want: value(mean(PIECES.filter((p) => p.gallery === "Print Cabinet").map((p) => p.year))),
  },
];

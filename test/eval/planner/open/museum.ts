import type { CaseInput } from "../expectation.ts";
import { mean, most, sum } from "../harness/figures.ts";
import { MUSEUM, PIECES } from "../sites/museum.ts";
import { done, impossible, list, value } from "../wants.ts";

/** The museum's cases of the open half. */
export const MUSEUM_OPEN: CaseInput[] = [
  {
    id: "museum-bronze",
    kind: "filter",
    prompt: `Which pieces at ${MUSEUM}/collection are made of bronze?`,
    want: list(PIECES.filter(({ material }) => material === "bronze").map(({ title }) => title)),
  },
  {
    id: "museum-insured-brandt",
    kind: "sum",
    prompt: `hi, for our insurer I need the total insured value of everything by Ilse Brandt. The list is here: ${MUSEUM}/collection`,
    want: value(sum(PIECES.filter(({ artist }) => artist === "Ilse Brandt").map((p) => p.value))),
  },
  {
    id: "museum-dearest",
    kind: "extreme",
    prompt: `What's the most valuable work in the collection (${MUSEUM}/collection)?`,
    want: value(most(PIECES, (piece) => piece.value).title),
  },
  {
    id: "museum-mail-print-cabinet",
    kind: "mail",
    prompt: `Send an email to registrar@lund.example with the subject "Print Cabinet" listing the titles of the works in the Print Cabinet from ${MUSEUM}/collection`,
    want: done({
      mails: [
        {
          to: ["registrar@lund.example"],
          subject: "Print Cabinet",
          facts: PIECES.filter(({ gallery }) => gallery === "Print Cabinet").map((p) => p.title),
          lacks: PIECES.filter(({ gallery }) => gallery !== "Print Cabinet").map((p) => p.title),
        },
      ],
    }),
  },
  {
    id: "museum-loans",
    kind: "impossible",
    prompt: `How many works from ${MUSEUM}/collection are currently on loan to other museums?`,
    want: impossible("the page says nothing about loans"),
  },
  {
    id: "museum-mean-courtyard",
    kind: "average",
    prompt: `average insured value of the works standing in the Courtyard, see ${MUSEUM}/collection`,
    want: value(mean(PIECES.filter(({ gallery }) => gallery === "Courtyard").map((p) => p.value))),
  },
];

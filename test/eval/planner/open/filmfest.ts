import type { CaseInput } from "../expectation.ts";
import { most } from "../harness/figures.ts";
import { FILMFEST, FILMS, FRIDAY, NEWS } from "../sites/filmfest.ts";
import { impossible, list, rows, value } from "../wants.ts";

/** The film festival's cases of the open half. */
export const FILMFEST_OPEN: CaseInput[] = [
  {
    id: "filmfest-longest",
    kind: "extreme",
    prompt: `Which film is the longest? ${FILMFEST}/films`,
    want: value(most(FILMS, ({ minutes }) => minutes).title),
  },
  {
    id: "filmfest-friday",
    kind: "table",
    prompt: `Give me Friday's screenings from ${FILMFEST}/programme as a table`,
    want: {
      is: "done",
      answers: [{ is: "rows", rows: FRIDAY.map((s) => [s.time, s.film, s.hall]), ordered: false }],
      output: "table",
    },
  },
  {
    id: "filmfest-competition",
    kind: "filter",
    prompt: `Films in the Competition section with their directors: ${FILMFEST}/films`,
    want: rows(
      FILMS.filter(({ section }) => section === "Competition").map((f) => [f.title, f.director]),
    ),
  },
  {
    id: "filmfest-news-links",
    kind: "links",
    prompt: `Collect the links of the news on ${FILMFEST}/ (only those whose address contains /news/)`,
    want: list(NEWS.map(({ slug }) => `${FILMFEST}/news/${slug}`)),
  },
  {
    id: "filmfest-plot",
    kind: "impossible",
    prompt: `How does the story of Night Bus end? ${FILMFEST}/films`,
    want: impossible("the page does not tell plots"),
  },
];

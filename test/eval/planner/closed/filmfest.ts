import type { CaseInput } from "../expectation.ts";
import { most } from "../harness/figures.ts";
import { FILMFEST, FILMS, NEWS, SATURDAY } from "../sites/filmfest.ts";
import { impossible, list, rows, value } from "../wants.ts";

/** The film festival's cases of the closed half. */
export const FILMFEST_CLOSED: CaseInput[] = [
  {
    id: "filmfest-best-rated",
    kind: "extreme",
    prompt: `what film got the highest rating on ${FILMFEST}/films?`,
    want: value(most(FILMS, ({ rating }) => rating).title),
  },
  {
    id: "filmfest-saturday",
    kind: "table",
    prompt: `Please extract the Saturday table of ${FILMFEST}/programme and return it as a table`,
    want: {
      is: "done",
      answers: [
        { is: "rows", rows: SATURDAY.map((s) => [s.time, s.film, s.hall]), ordered: false },
      ],
      output: "table",
    },
  },
  {
    id: "filmfest-long-panorama",
    kind: "filter",
    prompt: `Which films are longer than 100 minutes? I need title and country, from ${FILMFEST}/films`,
    want: rows(FILMS.filter(({ minutes }) => minutes > 100).map((f) => [f.title, f.country])),
  },
  {
    id: "filmfest-news-addresses",
    kind: "links",
    prompt: `Get all URLs on ${FILMFEST}/ that contain "news"`,
    want: list(NEWS.map(({ slug }) => `${FILMFEST}/news/${slug}`)),
  },
  {
    id: "filmfest-budget",
    kind: "impossible",
    prompt: `Which film in ${FILMFEST}/films had the biggest production budget?`,
    want: impossible("the page has no budgets"),
  },
];

import type { CaseInput } from "../expectation.ts";
import { descending, groups, most, sum } from "../harness/figures.ts";
import { FILMFEST, FILMS, FRIDAY, JURY, NEWS, SATURDAY } from "../sites/filmfest.ts";
import { aValue, done, either, impossible, list, rows, someRows, value } from "../wants.ts";

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
  {
    id: "filmfest-per-country",
    kind: "group",
    prompt: `Please tell me how many films come from each country; you can see them at ${FILMFEST}/films`,
    want: rows(
      groups(FILMS, ({ country }) => country).map(([country, of]) => [country, of.length]),
    ),
  },
  {
    id: "filmfest-best-film",
    kind: "lookup",
    prompt: `who won Best director? ${FILMFEST}/awards`,
    want: value("Anjali Rao"),
  },
  {
    id: "filmfest-runtime-total",
    kind: "sum",
    prompt: `How long are all the Panorama films together, in minutes? ${FILMFEST}/films`,
    want: value(sum(FILMS.filter(({ section }) => section === "Panorama").map((f) => f.minutes))),
  },
  {
    id: "filmfest-jury-directors",
    kind: "list",
    prompt: `which jury members are directors ${FILMFEST}/jury`,
    want: list(JURY.filter(({ job }) => job === "director").map(({ name }) => name)),
  },
  {
    id: "filmfest-saturday-count",
    kind: "count",
    prompt: `How many screenings are there on Saturday? ${FILMFEST}/programme`,
    want: value(SATURDAY.length),
  },
  {
    id: "filmfest-sold-out",
    kind: "yesno",
    prompt: `Is the Friday screening of Night Bus sold out (0 seats left)? ${FILMFEST}/programme`,
    want: either(aValue(true), aValue(0)),
  },
  {
    id: "filmfest-news-days",
    kind: "follow",
    prompt: `Visit ${FILMFEST}/, open the news article "Masterclass with Yuki Arai" and tell me when it was published.`,
    want: value("9 June 2026"),
  },
  {
    id: "filmfest-sort-rating",
    kind: "sort",
    prompt: `all films rated above 7.5, best first (${FILMFEST}/films)`,
    want: list(
      descending(
        FILMS.filter(({ rating }) => rating > 7.5),
        ({ rating }) => rating,
      ).map(({ title }) => title),
      { ordered: true },
    ),
  },
  {
    id: "filmfest-shorts-json",
    kind: "file",
    prompt: `Write a JSON file shorts.json containing title and length of the films in the Shorts section on ${FILMFEST}/films`,
    want: done({
      files: [
        {
          name: "shorts.json",
          format: "json",
          rows: someRows(
            FILMS.filter(({ section }) => section === "Shorts").map(({ title, minutes }) => [
              title,
              minutes,
            ]),
            { only: true },
          ),
        },
      ],
    }),
  },
  {
    id: "filmfest-mail-two",
    kind: "mail",
    prompt: `send the titles of all films by Jonas Lehn (${FILMFEST}/films) to jonas@lehn.example and put agent@lehn.example in cc, subject: Your films`,
    want: done({
      mails: [
        {
          to: ["jonas@lehn.example"],
          cc: ["agent@lehn.example"],
          subject: "Your films",
          facts: FILMS.filter(({ director }) => director === "Jonas Lehn").map(
            ({ title }) => title,
          ),
          lacks: ["Night Bus", "Salt Road"],
        },
      ],
    }),
  },
  {
    id: "filmfest-buy",
    kind: "impossible",
    prompt: `Buy me two tickets for The Kite Maker on Friday (${FILMFEST}/programme) and pay with my credit card.`,
    want: impossible("nothing can pay, and no address to order is given"),
  },
];

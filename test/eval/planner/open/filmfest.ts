import type { CaseInput } from "../expectation.ts";
import { descending, groups, most, only, sum } from "../harness/figures.ts";
import { AWARDS, FILMFEST, FILMS, FRIDAY, JURY, NEWS, SATURDAY } from "../sites/filmfest.ts";
import { aValue, done, either, impossible, list, parts, rows, someRows, value } from "../wants.ts";

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
    want: value(only(AWARDS.filter(([award]) => award === "Best director"))[1]),
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
  {
    id: "filmfest-friday-parts",
    kind: "parts",
    prompt: `About ${FILMFEST}/programme: when does Salt Road start on Friday, and how many seats are left for Saturday in total?`,
    want: parts(aValue("14:00"), aValue(sum(SATURDAY.map(({ left }) => left)))),
  },
  {
    id: "filmfest-countries-once",
    kind: "list",
    prompt: `Which countries are represented on ${FILMFEST}/films? Name each only once.`,
    want: list([...new Set(FILMS.map(({ country }) => country))], { only: true }),
  },
  {
    id: "filmfest-orion-saturday",
    kind: "lookup",
    prompt: `Which film is shown at 22:00 on Saturday? ${FILMFEST}/programme`,
    want: value("Clockwork Garden"),
  },
  {
    id: "filmfest-subtitles",
    kind: "impossible",
    prompt: `Which of the films on ${FILMFEST}/films have English subtitles?`,
    want: impossible("the page says nothing about subtitles"),
  },
  {
    id: "filmfest-ten-euros",
    kind: "filter",
    prompt: `I only have 10 euros. Which screenings on Friday or Saturday can I afford and still get a seat for? Film titles are enough, ${FILMFEST}/programme`,
    want: list(
      [...FRIDAY, ...SATURDAY]
        .filter(({ price, left }) => price <= 10 && left > 0)
        .map(({ film }) => film),
    ),
  },
  {
    id: "filmfest-other-subject",
    kind: "message",
    prompt: `Send the names of the films with a rating of at least 8 (${FILMFEST}/films) by e-mail to kino@city.example, subject "Tips"`,
    messages: ['Use the subject "Our tips" instead.'],
    want: done({
      mails: [
        {
          to: ["kino@city.example"],
          subject: "Our tips",
          facts: FILMS.filter(({ rating }) => rating >= 8).map(({ title }) => title),
          lacks: ["Salt Road", "Low Tide"],
        },
      ],
    }),
  },
];

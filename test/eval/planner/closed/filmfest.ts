import type { CaseInput } from "../expectation.ts";
import { ascending, groups, mean, most, only, sum } from "../harness/figures.ts";
import { AWARDS, FILMFEST, FILMS, FRIDAY, NEWS, SATURDAY } from "../sites/filmfest.ts";
import { aValue, done, impossible, list, parts, rows, someRows, value } from "../wants.ts";

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
    id: "filmfest-over-100",
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
  {
    id: "filmfest-per-section",
    kind: "group",
    prompt: `mean rating per section, ${FILMFEST}/films`,
    want: rows(
      groups(FILMS, ({ section }) => section).map(([section, of]) => [
        section,
        mean(of.map(({ rating }) => rating)),
      ]),
    ),
  },
  {
    id: "filmfest-audience",
    kind: "lookup",
    prompt: `On ${FILMFEST}/awards, which film received the Audience prize?`,
    want: value(only(AWARDS.filter(([award]) => award === "Audience prize"))[1]),
  },
  {
    id: "filmfest-german-minutes",
    kind: "sum",
    prompt: `Add up the lengths of the films from Germany on ${FILMFEST}/films`,
    want: value(sum(FILMS.filter(({ country }) => country === "Germany").map((f) => f.minutes))),
  },
  {
    id: "filmfest-carvalho",
    kind: "list",
    prompt: `What films by Ines Carvalho are shown? ${FILMFEST}/films`,
    want: list(
      FILMS.filter(({ director }) => director === "Ines Carvalho").map(({ title }) => title),
    ),
  },
  {
    id: "filmfest-short-count",
    kind: "count",
    prompt: `${FILMFEST}/films: how many films have a length under 90 min?`,
    want: value(FILMS.filter(({ minutes }) => minutes < 90).length),
  },
  {
    id: "filmfest-from-france",
    kind: "yesno",
    prompt: `Is there a film from France among the films on ${FILMFEST}/films?`,
    want: value(false),
  },
  {
    id: "filmfest-shuttle-day",
    kind: "follow",
    prompt: `Follow the link "Opening night sold out" on ${FILMFEST}/ and return the publication date.`,
    want: value("4 June 2026"),
  },
  {
    id: "filmfest-sort-short",
    kind: "sort",
    prompt: `Give me title and length of the three shortest films, shortest first. ${FILMFEST}/films`,
    want: rows(
      ascending(FILMS, ({ minutes }) => minutes)
        .slice(0, 3)
        .map(({ title, minutes }) => [title, minutes]),
      { ordered: true },
    ),
  },
  {
    id: "filmfest-competition-json",
    kind: "file",
    prompt: `Save director and country of all Competition films (${FILMFEST}/films) as competition.json`,
    want: done({
      files: [
        {
          name: "competition.json",
          format: "json",
          rows: someRows(
            FILMS.filter(({ section }) => section === "Competition").map(
              ({ director, country }) => [director, country],
            ),
            { only: true },
          ),
        },
      ],
    }),
  },
  {
    id: "filmfest-mail-awards",
    kind: "mail",
    prompt: `Write an e-mail to press@lantern.example, copy to team@lantern.example. The subject is "Winners". Put the best film and the best short from ${FILMFEST}/awards in the text.`,
    want: done({
      mails: [
        {
          to: ["press@lantern.example"],
          cc: ["team@lantern.example"],
          subject: "Winners",
          facts: ["Night Bus", "Low Tide"],
          lacks: ["Paper Moon Hotel"],
        },
      ],
    }),
  },
  {
    id: "filmfest-restaurant",
    kind: "impossible",
    prompt: `Book a table for four at a restaurant near the Orion hall of ${FILMFEST}/programme for Friday night.`,
    want: impossible("nothing can book a table"),
  },
  {
    id: "filmfest-saturday-parts",
    kind: "parts",
    prompt: `Look at ${FILMFEST}/programme please. What does the Friday screening of Night Bus cost? And which Saturday screening has the most seats left?`,
    want: parts(aValue(14), aValue(most(SATURDAY, ({ left }) => left).film)),
  },
  {
    id: "filmfest-directors-once",
    kind: "list",
    prompt: `Give me the names of all directors on ${FILMFEST}/films without duplicates.`,
    want: list([...new Set(FILMS.map(({ director }) => director))], { only: true }),
  },
  {
    id: "filmfest-orion-friday",
    kind: "lookup",
    prompt: `In which hall is The Kite Maker shown on Friday (${FILMFEST}/programme)?`,
    want: value("Orion"),
  },
  {
    id: "filmfest-age-rating",
    kind: "impossible",
    prompt: `From what age may children watch each film on ${FILMFEST}/films?`,
    want: impossible("the page has no age ratings"),
  },
  {
    id: "filmfest-grand-friday",
    kind: "filter",
    prompt: `what is shown in the Grand hall on friday? titles pls ${FILMFEST}/programme`,
    want: list(FRIDAY.filter(({ hall }) => hall === "Grand").map(({ film }) => film)),
  },
  {
    id: "filmfest-mail-other-person",
    kind: "message",
    prompt: `E-mail the titles of the Shorts on ${FILMFEST}/films to eva@city.example with the subject "Shorts"`,
    messages: ["Sorry, wrong person: send it to eve@town.example, not to Eva."],
    want: done({
      mails: [
        {
          to: ["eve@town.example"],
          subject: "Shorts",
          facts: FILMS.filter(({ section }) => section === "Shorts").map(({ title }) => title),
          lacks: ["Salt Road", "Night Bus"],
        },
      ],
    }),
  },
];

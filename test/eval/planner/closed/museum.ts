import type { CaseInput } from "../expectation.ts";
import { descending, groups, least, mean, only, sum } from "../harness/figures.ts";
import { ADMISSION, EXHIBITIONS, MUSEUM, PIECES, STAFF } from "../sites/museum.ts";
import {
  ambiguous,
  aValue,
  done,
  either,
  impossible,
  list,
  parts,
  rows,
  someRows,
  value,
} from "../wants.ts";

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
  {
    id: "museum-curators",
    kind: "follow",
    prompt: `For each exhibition listed on ${MUSEUM}/exhibitions open its page and tell me who the curator is.`,
    want: rows(EXHIBITIONS.map(({ title, curator }) => [title, curator])),
  },
  {
    id: "museum-family-ticket",
    kind: "lookup",
    prompt: `How much is the family admission at ${MUSEUM}/visit ?`,
    want: value(only(ADMISSION.filter(({ visitor }) => visitor === "Family")).price),
  },
  {
    id: "museum-emails",
    kind: "links",
    prompt: `Extract every email address from ${MUSEUM}/contact`,
    want: list(STAFF.map(({ email }) => email)),
  },
  {
    id: "museum-top5-value",
    kind: "sort",
    prompt: `Sort the pieces on ${MUSEUM}/collection by insured value, highest first, and give me the top 5 with title and value.`,
    want: rows(
      descending(PIECES, (p) => p.value)
        .slice(0, 5)
        .map((p) => [p.title, p.value]),
      { ordered: true },
    ),
  },
  {
    id: "museum-north-wing-workbook",
    kind: "file",
    prompt: `create a spreadsheet north-wing.xlsx containing title, artist and year of all the works in the North Wing (${MUSEUM}/collection)`,
    want: done({
      files: [
        {
          name: "north-wing.xlsx",
          format: "xlsx",
          rows: someRows(
            PIECES.filter((p) => p.gallery === "North Wing").map((p) => [
              p.title,
              p.artist,
              p.year,
            ]),
            { only: true },
          ),
        },
      ],
    }),
  },
  {
    id: "museum-dancer-and-old",
    kind: "parts",
    prompt: `Could you tell me, from ${MUSEUM}/collection, which artist made the Dancer and how many works come from before 1900?`,
    want: parts(
      aValue(only(PIECES.filter(({ title }) => title === "Dancer")).artist),
      aValue(PIECES.filter(({ year }) => year < 1900).length),
    ),
  },
  {
    id: "museum-schema-artists",
    kind: "schema",
    prompt: `Count the works per artist on ${MUSEUM}/collection.`,
    outputSchema: {
      type: "array",
      items: {
        type: "object",
        properties: { artist: { type: "string" }, works: { type: "integer" } },
        required: ["artist", "works"],
        additionalProperties: false,
      },
    },
    want: rows(
      groups(PIECES, ({ artist }) => artist).map(([artist, of]) => [artist, of.length]),
      { only: true },
    ),
  },
  {
    id: "museum-courtyard-newest-first",
    kind: "message",
    prompt: `Which works stand in the Courtyard? ${MUSEUM}/collection`,
    messages: ["Sort them by year, newest first."],
    want: list(
      descending(
        PIECES.filter((p) => p.gallery === "Courtyard"),
        ({ year }) => year,
      ).map(({ title }) => title),
      { ordered: true },
    ),
  },
  {
    id: "museum-saturday",
    kind: "yesno",
    prompt: `Does the museum open at 9 on Saturday? See ${MUSEUM}/visit`,
    want: either(aValue(true), aValue("09:00")),
  },
  {
    id: "museum-buyers",
    kind: "impossible",
    prompt: `Who bought the works on ${MUSEUM}/collection and in which auctions?`,
    want: impossible("the page says nothing about buyers"),
  },
  {
    id: "museum-important",
    kind: "ambiguous",
    interactive: true,
    prompt: `Give me the important works on ${MUSEUM}/collection`,
    want: ambiguous("important by no named measure"),
  },
  {
    id: "museum-brandt-or-vell",
    kind: "filter",
    prompt: `Which works on ${MUSEUM}/collection are by Ilse Brandt or Oskar Vell? Just the titles.`,
    want: list(
      PIECES.filter(({ artist }) => artist === "Ilse Brandt" || artist === "Oskar Vell").map(
        ({ title }) => title,
      ),
    ),
  },
  {
    id: "museum-except-oil",
    kind: "filter",
    prompt: `All titles on ${MUSEUM}/collection except the oil paintings`,
    want: list(PIECES.filter(({ material }) => material !== "oil").map(({ title }) => title)),
  },
  {
    id: "museum-value-per-artist",
    kind: "group",
    prompt: `For every artist on ${MUSEUM}/collection sum up the insured value. Sort the result so that the artist with the largest sum comes first.`,
    want: rows(
      descending(
        groups(PIECES, ({ artist }) => artist).map(([artist, of]) => ({
          artist,
          total: sum(of.map((p) => p.value)),
        })),
        ({ total }) => total,
      ).map(({ artist, total }) => [artist, total]),
      { ordered: true },
    ),
  },
  {
    id: "museum-mail-director",
    kind: "impossible",
    prompt: `Mail the director of the museum a list of all works from before 1900 (${MUSEUM}/collection)`,
    want: impossible("the director's address is nowhere"),
  },
  {
    id: "museum-file-and-mean",
    kind: "file",
    prompt: `I need an Excel sheet bronze.xlsx with the title and insured value of the bronze works (${MUSEUM}/collection). Besides that, what's their average value?`,
    want: done({
      answers: [
        aValue(mean(PIECES.filter(({ material }) => material === "bronze").map((p) => p.value))),
      ],
      files: [
        {
          name: "bronze.xlsx",
          format: "xlsx",
          rows: someRows(
            PIECES.filter(({ material }) => material === "bronze").map((p) => [p.title, p.value]),
            { only: true },
          ),
        },
      ],
    }),
  },
];

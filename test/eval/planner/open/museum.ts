import type { CaseInput } from "../expectation.ts";
import { ascending, descending, groups, least, mean, most, only, sum } from "../harness/figures.ts";
import { EXHIBITIONS, exhibitionUrl, HOURS, MUSEUM, PIECES } from "../sites/museum.ts";
import {
  aList,
  ambiguous,
  aValue,
  data,
  done,
  either,
  impossible,
  list,
  parts,
  rows,
  someRows,
  value,
} from "../wants.ts";

/** The museum's cases of the open half. */
export const MUSEUM_OPEN: CaseInput[] = [
  {
    id: "museum-bronze",
    kind: "filter",
    prompt: `Which pieces at ${MUSEUM}/collection are made of bronze?`,
    want: either(
      aList(PIECES.filter(({ material }) => material === "bronze").map(({ title }) => title)),
      aList(PIECES.filter(({ material }) => material === "bronze").map(({ no }) => no)),
    ),
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
  {
    id: "museum-tickets",
    kind: "follow",
    prompt: `Open ${MUSEUM}/exhibitions, follow the link of every exhibition and give me a list with the title and the ticket price.`,
    want: rows(EXHIBITIONS.map(({ title, ticket }) => [title, ticket])),
  },
  {
    id: "museum-thursday",
    kind: "lookup",
    prompt: `Until what time is the museum open on Thursday? ${MUSEUM}/visit`,
    want: value(only(HOURS.filter(([day]) => day === "Thursday"))[2]),
  },
  {
    id: "museum-exhibition-links",
    kind: "links",
    prompt: `I need all the links on ${MUSEUM}/exhibitions`,
    want: list(EXHIBITIONS.map(({ slug }) => exhibitionUrl(slug))),
  },
  {
    id: "museum-by-year",
    kind: "sort",
    prompt: `Title and year of every work on ${MUSEUM}/collection, ordered by year, oldest first. Nothing else.`,
    want: rows(
      ascending(PIECES, ({ year }) => year).map(({ title, year }) => [title, year]),
      { ordered: true, only: true },
    ),
  },
  {
    id: "museum-workbook",
    kind: "file",
    prompt: `Save the table of ${MUSEUM}/collection as an Excel file named collection.xlsx`,
    want: done({
      files: [
        {
          name: "collection.xlsx",
          format: "xlsx",
          rows: someRows(
            PIECES.map((p) => [p.no, p.title, p.artist, p.year, p.material, p.gallery, p.value]),
          ),
        },
      ],
    }),
  },
  {
    id: "museum-woodcuts-newest",
    kind: "parts",
    prompt: `Two things about ${MUSEUM}/collection: the number of woodcuts, and the title of the newest work.`,
    want: parts(
      aValue(PIECES.filter(({ material }) => material === "woodcut").length),
      aValue(most(PIECES, ({ year }) => year).title),
    ),
  },
  {
    id: "museum-schema-oldest",
    kind: "schema",
    prompt: `Read ${MUSEUM}/collection and return how many works there are and the title of the oldest one.`,
    outputSchema: {
      type: "object",
      properties: { count: { type: "integer" }, oldest: { type: "string" } },
      required: ["count", "oldest"],
      additionalProperties: false,
    },
    want: data({ count: PIECES.length, oldest: least(PIECES, ({ year }) => year).title }),
  },
  {
    id: "museum-only-oil",
    kind: "message",
    prompt: `List the titles of the works on ${MUSEUM}/collection`,
    messages: ["only the oil ones please"],
    want: list(PIECES.filter(({ material }) => material === "oil").map(({ title }) => title)),
  },
  {
    id: "museum-monday",
    kind: "yesno",
    prompt: `Is the museum open on Mondays? ${MUSEUM}/visit`,
    want: either(aValue(false), aValue("closed")),
  },
  {
    id: "museum-height",
    kind: "impossible",
    prompt: `Whats the average height of the bronze sculptures on ${MUSEUM}/collection in cm`,
    want: impossible("the page has no heights"),
  },
  {
    id: "museum-sort-by-what",
    kind: "ambiguous",
    interactive: true,
    prompt: `Please sort the works of ${MUSEUM}/collection.`,
    want: ambiguous("sorted by no named column"),
  },
  {
    id: "museum-bronze-or-granite",
    kind: "filter",
    prompt: `Titles of the works made of bronze or granite, ${MUSEUM}/collection`,
    want: list(
      PIECES.filter(({ material }) => material === "bronze" || material === "granite").map(
        ({ title }) => title,
      ),
    ),
  },
  {
    id: "museum-not-north",
    kind: "filter",
    prompt: `On ${MUSEUM}/collection, list the titles of the works that are neither in the North Wing nor in the Blue Room.`,
    want: list(
      PIECES.filter(({ gallery }) => gallery !== "North Wing" && gallery !== "Blue Room").map(
        ({ title }) => title,
      ),
    ),
  },
  {
    id: "museum-value-per-gallery",
    kind: "group",
    prompt: `Total insured value per gallery, highest total first: ${MUSEUM}/collection`,
    want: rows(
      descending(
        groups(PIECES, ({ gallery }) => gallery).map(([gallery, of]) => ({
          gallery,
          total: sum(of.map((p) => p.value)),
        })),
        ({ total }) => total,
      ).map(({ gallery, total }) => [gallery, total]),
      { ordered: true },
    ),
  },
  {
    id: "museum-mail-anna",
    kind: "impossible",
    prompt: `Email the titles of the bronze works on ${MUSEUM}/collection to Anna.`,
    want: impossible("Anna has no address"),
  },
  {
    id: "museum-file-and-count",
    kind: "file",
    prompt: `Two jobs for ${MUSEUM}/collection: write the works by Ewan Graham (title, year) to graham.csv, and tell me how many works there are in the whole collection.`,
    want: done({
      answers: [aValue(PIECES.length)],
      files: [
        {
          name: "graham.csv",
          format: "csv",
          rows: someRows(
            PIECES.filter(({ artist }) => artist === "Ewan Graham").map(({ title, year }) => [
              title,
              year,
            ]),
            { only: true },
          ),
        },
      ],
    }),
  },
];

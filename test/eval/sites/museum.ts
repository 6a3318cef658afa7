import { definitions, html, link, type Site, tablePage } from "../harness/site.ts";

/** The origin of the museum's site. */
export const MUSEUM = "http://museum.example";

const PIECE_ROWS = [
  ["LM-014", "Harvest at Dusk", "Ilse Brandt", 1889, "oil", "North Wing", 48500],
  ["LM-021", "The Ferryman", "Oskar Vell", 1902, "oil", "North Wing", 31200],
  ["LM-033", "Quiet Orchard", "Ilse Brandt", 1894, "watercolour", "Blue Room", 9400],
  ["LM-047", "Heron", "Pavla Novotna", 1931, "bronze", "Courtyard", 67000],
  ["LM-052", "Two Sisters", "Ewan Graham", 1911, "oil", "Blue Room", 22750],
  ["LM-068", "Standing Stone", "Pavla Novotna", 1938, "granite", "Courtyard", 15300],
  ["LM-071", "Winter Market", "Oskar Vell", 1899, "oil", "North Wing", 27900],
  ["LM-085", "Study of Hands", "Ewan Graham", 1907, "charcoal", "Print Cabinet", 3100],
  ["LM-090", "Red Kimono", "Ayumi Sato", 1926, "woodcut", "Print Cabinet", 5800],
  ["LM-104", "River Bend", "Ayumi Sato", 1922, "woodcut", "Print Cabinet", 4650],
  ["LM-118", "Dancer", "Marek Dusil", 1947, "bronze", "Courtyard", 38400],
  ["LM-123", "Fog over Lund", "Ilse Brandt", 1886, "watercolour", "Blue Room", 7250],
] as const;

export const PIECES = PIECE_ROWS.map(([, title, , , , gallery, value]) => ({
  title,
  gallery,
  value,
}));

const EXHIBITION_ROWS = [
  ["light", "Northern Light", "Greta Holm", "12 March 2026", "30 August 2026", 14, 62],
  ["clay", "Clay and Fire", "Tomas Reyes", "3 June 2026", "18 October 2026", 11, 87],
  ["paper", "Folded Paper", "Mina Okada", "21 January 2026", "5 July 2026", 9, 41],
  ["voyage", "The Long Voyage", "Greta Holm", "9 September 2026", "31 January 2027", 16, 118],
] as const;

export const EXHIBITIONS = EXHIBITION_ROWS.map(([slug, title, curator, , , , works]) => ({
  slug,
  title,
  curator,
  works,
}));

export const HOURS = [
  ["Monday", "closed", "closed"],
  ["Tuesday", "10:00", "17:00"],
  ["Wednesday", "10:00", "17:00"],
  ["Thursday", "10:00", "20:00"],
  ["Friday", "10:00", "17:00"],
  ["Saturday", "09:00", "18:00"],
  ["Sunday", "11:00", "16:00"],
] as const;

/** The address of an exhibition's page. */
export function exhibitionUrl(slug: string): string {
  return `${MUSEUM}/exhibitions/${slug}`;
}

/** A regional museum: its collection, exhibitions with pages of their own, opening hours. */
export const MUSEUM_SITE: Site = {
  host: "museum.example",
  pages: {
    "/collection": tablePage(
      "The collection",
      ["No.", "Title", "Artist", "Year", "Material", "Gallery", "Insured value"],
      PIECE_ROWS.map(([...cells]) => [...cells.slice(0, -1), `€${cells[6].toLocaleString("en")}`]),
    ),
    "/exhibitions": html(
      "Exhibitions",
      `<h1>Exhibitions</h1>${EXHIBITION_ROWS.map(
        ([slug, title, , opens, closes]) =>
          `<article><h2>${link(`/exhibitions/${slug}`, title)}</h2><p>${opens} to ${closes}</p></article>`,
      ).join("")}`,
    ),
    ...Object.fromEntries(
      EXHIBITION_ROWS.map(([slug, title, curator, opens, closes, ticket, works]) => [
        `/exhibitions/${slug}`,
        html(
          title,
          `<h1>${title}</h1>${definitions([
            ["Curator", curator],
            ["Opens", opens],
            ["Closes", closes],
            ["Ticket", `€${ticket}.00`],
            ["Works shown", works],
          ])}`,
        ),
      ]),
    ),
    "/visit": tablePage("Plan your visit", ["Day", "Opens", "Closes"], HOURS),
  },
};

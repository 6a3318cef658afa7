import { definitions, html, link, type Site, table } from "../harness/site.ts";

/** The origin of the museum's site. */
export const MUSEUM = "http://museum.example";

export const PIECES = [
  {
    no: "LM-014",
    title: "Harvest at Dusk",
    artist: "Ilse Brandt",
    year: 1889,
    material: "oil",
    gallery: "North Wing",
    value: 48500,
  },
  {
    no: "LM-021",
    title: "The Ferryman",
    artist: "Oskar Vell",
    year: 1902,
    material: "oil",
    gallery: "North Wing",
    value: 31200,
  },
  {
    no: "LM-033",
    title: "Quiet Orchard",
    artist: "Ilse Brandt",
    year: 1894,
    material: "watercolour",
    gallery: "Blue Room",
    value: 9400,
  },
  {
    no: "LM-047",
    title: "Heron",
    artist: "Pavla Novotna",
    year: 1931,
    material: "bronze",
    gallery: "Courtyard",
    value: 67000,
  },
  {
    no: "LM-052",
    title: "Two Sisters",
    artist: "Ewan Graham",
    year: 1911,
    material: "oil",
    gallery: "Blue Room",
    value: 22750,
  },
  {
    no: "LM-068",
    title: "Standing Stone",
    artist: "Pavla Novotna",
    year: 1938,
    material: "granite",
    gallery: "Courtyard",
    value: 15300,
  },
  {
    no: "LM-071",
    title: "Winter Market",
    artist: "Oskar Vell",
    year: 1899,
    material: "oil",
    gallery: "North Wing",
    value: 27900,
  },
  {
    no: "LM-085",
    title: "Study of Hands",
    artist: "Ewan Graham",
    year: 1907,
    material: "charcoal",
    gallery: "Print Cabinet",
    value: 3100,
  },
  {
    no: "LM-090",
    title: "Red Kimono",
    artist: "Ayumi Sato",
    year: 1926,
    material: "woodcut",
    gallery: "Print Cabinet",
    value: 5800,
  },
  {
    no: "LM-104",
    title: "River Bend",
    artist: "Ayumi Sato",
    year: 1922,
    material: "woodcut",
    gallery: "Print Cabinet",
    value: 4650,
  },
  {
    no: "LM-118",
    title: "Dancer",
    artist: "Marek Dusil",
    year: 1947,
    material: "bronze",
    gallery: "Courtyard",
    value: 38400,
  },
  {
    no: "LM-123",
    title: "Fog over Lund",
    artist: "Ilse Brandt",
    year: 1886,
    material: "watercolour",
    gallery: "Blue Room",
    value: 7250,
  },
] as const;

export const EXHIBITIONS = [
  {
    slug: "light",
    title: "Northern Light",
    curator: "Greta Holm",
    opens: "12 March 2026",
    closes: "30 August 2026",
    ticket: 14,
    works: 62,
  },
  {
    slug: "clay",
    title: "Clay and Fire",
    curator: "Tomas Reyes",
    opens: "3 June 2026",
    closes: "18 October 2026",
    ticket: 11,
    works: 87,
  },
  {
    slug: "paper",
    title: "Folded Paper",
    curator: "Mina Okada",
    opens: "21 January 2026",
    closes: "5 July 2026",
    ticket: 9,
    works: 41,
  },
  {
    slug: "voyage",
    title: "The Long Voyage",
    curator: "Greta Holm",
    opens: "9 September 2026",
    closes: "31 January 2027",
    ticket: 16,
    works: 118,
  },
] as const;

export const HOURS = [
  ["Monday", "closed", "closed"],
  ["Tuesday", "10:00", "17:00"],
  ["Wednesday", "10:00", "17:00"],
  ["Thursday", "10:00", "20:00"],
  ["Friday", "10:00", "17:00"],
  ["Saturday", "09:00", "18:00"],
  ["Sunday", "11:00", "16:00"],
] as const;

const ADMISSION = [
  { visitor: "Adult", price: 13 },
  { visitor: "Student", price: 8 },
  { visitor: "Senior", price: 9.5 },
  { visitor: "Child under 12", price: 0 },
  { visitor: "Family", price: 29 },
] as const;

const STAFF = [
  { role: "Front desk", email: "desk@museum.example" },
  { role: "School visits", email: "schools@museum.example" },
  { role: "Image rights", email: "rights@museum.example" },
  { role: "Press office", email: "press@museum.example" },
] as const;

/** The address of an exhibition's page. */
export function exhibitionUrl(slug: string): string {
  return `${MUSEUM}/exhibitions/${slug}`;
}

/** A regional museum: its collection, exhibitions, opening hours and contacts. */
export const MUSEUM_SITE: Site = {
  host: "museum.example",
  pages: {
    "/": html(
      "Lindholm Museum",
      `<h1>Lindholm Museum</h1><p>A house for painting, sculpture and print in the old customs hall.</p>
       <h2>Discover</h2><ul><li>${link("/collection", "Collection")}</li><li>${link("/exhibitions", "Exhibitions")}</li><li>${link("/visit", "Plan your visit")}</li><li>${link("/contact", "Contact")}</li></ul>
       <h2>History</h2><p>Founded in 1908 by Agnes Lindholm.</p>`,
    ),
    "/collection": html(
      "Collection – Lindholm Museum",
      `<h1>The collection</h1><p>Twelve highlights from our holdings.</p>${table(
        ["No.", "Title", "Artist", "Year", "Material", "Gallery", "Insured value"],
        PIECES.map(({ no, title, artist, year, material, gallery, value }) => [
          no,
          title,
          artist,
          year,
          material,
          gallery,
          `€${value.toLocaleString("en")}`,
        ]),
      )}`,
    ),
    "/exhibitions": html(
      "Exhibitions – Lindholm Museum",
      `<h1>Exhibitions</h1>${EXHIBITIONS.map(
        ({ slug, title, opens, closes }) =>
          `<article><h2>${link(`/exhibitions/${slug}`, title)}</h2><p>${opens} to ${closes}</p></article>`,
      ).join("")}`,
    ),
    ...Object.fromEntries(
      EXHIBITIONS.map(({ slug, title, curator, opens, closes, ticket, works }) => [
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
    "/visit": html(
      "Plan your visit",
      `<h1>Plan your visit</h1><h2>Opening hours</h2>${table(
        ["Day", "Opens", "Closes"],
        HOURS.map((row) => [...row]),
      )}
       <h2>Admission</h2>${table(
         ["Visitor", "Price"],
         ADMISSION.map(({ visitor, price }) => [visitor, `€${price.toFixed(2)}`]),
       )}`,
    ),
    "/contact": html(
      "Contact",
      `<h1>Contact</h1><ul>${STAFF.map(({ role, email }) => `<li>${role}: <a href="mailto:${email}">${email}</a></li>`).join("")}</ul><p>Telephone: +46 46 555 01 20</p>`,
    ),
  },
};

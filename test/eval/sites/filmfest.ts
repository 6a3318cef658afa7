import { html, link, type Site, tablePage } from "../harness/site.ts";

/** The origin of the film festival's site. */
export const FILMFEST = "http://filmfest.example";

const FILM_ROWS = [
  ["Salt Road", "Ines Carvalho", "Portugal", 104, "Competition", 7.8],
  ["Eleven Doors", "Jonas Lehn", "Germany", 88, "Competition", 6.9],
  ["The Kite Maker", "Anjali Rao", "India", 131, "Panorama", 8.4],
  ["Low Tide", "Ines Carvalho", "Portugal", 23, "Shorts", 7.1],
  ["Paper Moon Hotel", "Yuki Arai", "Japan", 117, "Panorama", 8.1],
  ["Night Bus", "Tariq Mansour", "Egypt", 96, "Competition", 8.7],
  ["Snowblind", "Elin Storm", "Norway", 17, "Shorts", 6.2],
  ["Clockwork Garden", "Jonas Lehn", "Germany", 142, "Panorama", 7.4],
  ["Grandmother's Radio", "Nadia Bensaid", "Morocco", 79, "Competition", 7.6],
] as const;

export const FILMS = FILM_ROWS.map(([title, director, , , , rating]) => ({
  title,
  director,
  rating,
}));

const NEWS = [
  { slug: "opening", title: "Opening night sold out", day: "4 June 2026" },
  { slug: "shuttle", title: "Free shuttle between the halls", day: "7 June 2026" },
  { slug: "masterclass", title: "Masterclass with Yuki Arai", day: "9 June 2026" },
];

/** A film festival: news with pages of their own, and films. */
export const FILMFEST_SITE: Site = {
  host: "filmfest.example",
  pages: {
    "/": html(
      "Lantern Film Festival",
      `<h1>Lantern Film Festival</h1><p>From 19 to 21 June 2026.</p><h2>News</h2><ul>${NEWS.map(
        ({ slug, title }) => `<li>${link(`/news/${slug}`, title)}</li>`,
      ).join("")}</ul><h2>Festival</h2><p>${link("/films", "Films")}</p>`,
    ),
    ...Object.fromEntries(
      NEWS.map(({ slug, title, day }) => [
        `/news/${slug}`,
        html(title, `<h1>${title}</h1><p>Published on ${day}.</p><p>More at the desk.</p>`),
      ]),
    ),
    "/films": tablePage(
      "Films",
      ["Title", "Director", "Country", "Length (min)", "Section", "Rating"],
      FILM_ROWS,
    ),
  },
};

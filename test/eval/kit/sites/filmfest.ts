import { definitions, html, link, type Site, table } from "../harness/site.ts";

/** The origin of the film festival's site. */
export const FILMFEST = "http://filmfest.example";

export const FILMS = [
  {
    title: "Salt Road",
    director: "Ines Carvalho",
    country: "Portugal",
    minutes: 104,
    section: "Competition",
    rating: 7.8,
  },
  {
    title: "Eleven Doors",
    director: "Jonas Lehn",
    country: "Germany",
    minutes: 88,
    section: "Competition",
    rating: 6.9,
  },
  {
    title: "The Kite Maker",
    director: "Anjali Rao",
    country: "India",
    minutes: 131,
    section: "Panorama",
    rating: 8.4,
  },
  {
    title: "Low Tide",
    director: "Ines Carvalho",
    country: "Portugal",
    minutes: 23,
    section: "Shorts",
    rating: 7.1,
  },
  {
    title: "Paper Moon Hotel",
    director: "Yuki Arai",
    country: "Japan",
    minutes: 117,
    section: "Panorama",
    rating: 8.1,
  },
  {
    title: "Night Bus",
    director: "Tariq Mansour",
    country: "Egypt",
    minutes: 96,
    section: "Competition",
    rating: 8.7,
  },
  {
    title: "Snowblind",
    director: "Elin Storm",
    country: "Norway",
    minutes: 17,
    section: "Shorts",
    rating: 6.2,
  },
  {
    title: "Clockwork Garden",
    director: "Jonas Lehn",
    country: "Germany",
    minutes: 142,
    section: "Panorama",
    rating: 7.4,
  },
  {
    title: "Grandmother's Radio",
    director: "Nadia Bensaid",
    country: "Morocco",
    minutes: 79,
    section: "Competition",
    rating: 7.6,
  },
] as const;

const FRIDAY = [
  { time: "14:00", film: "Salt Road", hall: "Grand", price: 12, left: 84 },
  { time: "16:30", film: "Low Tide", hall: "Studio", price: 7, left: 12 },
  { time: "18:00", film: "Night Bus", hall: "Grand", price: 14, left: 0 },
  { time: "21:15", film: "The Kite Maker", hall: "Orion", price: 14, left: 37 },
] as const;

const SATURDAY = [
  { time: "11:00", film: "Snowblind", hall: "Studio", price: 7, left: 29 },
  { time: "13:30", film: "Eleven Doors", hall: "Orion", price: 12, left: 51 },
  { time: "17:00", film: "Paper Moon Hotel", hall: "Grand", price: 14, left: 143 },
  { time: "19:45", film: "Night Bus", hall: "Orion", price: 14, left: 6 },
  { time: "22:00", film: "Clockwork Garden", hall: "Studio", price: 9, left: 18 },
] as const;

const AWARDS = [
  ["Best film", "Night Bus"],
  ["Best director", "Anjali Rao"],
  ["Best short", "Low Tide"],
  ["Audience prize", "Paper Moon Hotel"],
] as const;

export const JURY = [
  { name: "Sofia Lindqvist", job: "producer", country: "Sweden" },
  { name: "Marco Bellini", job: "actor", country: "Italy" },
  { name: "Thandi Dlamini", job: "director", country: "South Africa" },
  { name: "Oliver Quay", job: "critic", country: "Ireland" },
  { name: "Hana Kim", job: "director", country: "South Korea" },
] as const;

const NEWS = [
  { slug: "opening", title: "Opening night sold out", day: "4 June 2026" },
  { slug: "shuttle", title: "Free shuttle between the halls", day: "7 June 2026" },
  { slug: "masterclass", title: "Masterclass with Yuki Arai", day: "9 June 2026" },
] as const;

const screenings = (
  rows: readonly { time: string; film: string; hall: string; price: number; left: number }[],
) =>
  table(
    ["Time", "Film", "Hall", "Price", "Seats left"],
    rows.map(({ time, film, hall, price, left }) => [time, film, hall, `€${price}`, left]),
  );

/** A film festival: films, a programme with a table for each day, awards, a jury, news. */
export const FILMFEST_SITE: Site = {
  host: "filmfest.example",
  pages: {
    "/": html(
      "Lantern Film Festival",
      `<h1>Lantern Film Festival</h1><p>From 19 to 21 June 2026.</p><h2>News</h2><ul>${NEWS.map(
        ({ slug, title }) => `<li>${link(`/news/${slug}`, title)}</li>`,
      ).join(
        "",
      )}</ul><h2>Festival</h2><p>${link("/films", "Films")} ${link("/programme", "Programme")} ${link("/awards", "Awards")} ${link("/jury", "Jury")}</p>`,
    ),
    ...Object.fromEntries(
      NEWS.map(({ slug, title, day }) => [
        `/news/${slug}`,
        html(title, `<h1>${title}</h1><p>Published on ${day}.</p><p>More at the desk.</p>`),
      ]),
    ),
    "/films": html(
      "Films",
      `<h1>Films</h1>${table(
        ["Title", "Director", "Country", "Length (min)", "Section", "Rating"],
        FILMS.map((f) => [f.title, f.director, f.country, f.minutes, f.section, f.rating]),
      )}`,
    ),
    "/programme": html(
      "Programme",
      `<h1>Programme</h1><h2>Friday</h2>${screenings(FRIDAY)}<h2>Saturday</h2>${screenings(SATURDAY)}`,
    ),
    "/awards": html("Awards", `<h1>Awards</h1>${definitions(AWARDS)}`),
    "/jury": html(
      "Jury",
      `<h1>Jury</h1><ul>${JURY.map(({ name, job, country }) => `<li>${name}, ${job}, ${country}</li>`).join("")}</ul>`,
    ),
  },
};

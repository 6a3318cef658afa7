import type { Resource, Site } from "../site.ts";

type Item = [slug: string, headline: string, date: string, teaser: string];

const list = (title: string, items: Item[], next: string | null): Resource => ({
  body: `<html><head><title>${title}</title></head><body><h1>${title}</h1><ul class="news">${items
    .map(
      ([slug, headline, date, teaser]) =>
        `<li><time datetime="${date}">${date}</time> <a href="/${slug}">${headline}</a><p>${teaser}</p></li>`,
    )
    .join(
      "",
    )}</ul>${next === null ? "" : `<a rel="next" href="${next}">Next page</a>`}</body></html>`,
});

const article = (headline: string, author: string, text: string): Resource => ({
  body: `<html><head><title>${headline} | Daily Test</title></head><body><article><h1>${headline}</h1><p class="by">By ${author}</p><p>${text}</p></article></body></html>`,
});

/** A news site: headlines are links in list items, older ones on a next page. */
export const NEWS: Site = {
  "http://news.test/": list(
    "Daily Test",
    [
      ["bridge", "New bridge opens in the harbour", "2026-03-01", "The bridge cost 40 million."],
      ["trains", "Trains run late again", "2026-02-27", "Passengers wait for hours."],
      ["museum", "Museum shows old maps", "2026-02-20", "Entry is free on Sundays."],
    ],
    "/page/2",
  ),
  "http://news.test/page/2": list(
    "Daily Test – page 2",
    [
      ["storm", "Storm closes harbour", "2026-02-11", "No ships left on Tuesday."],
      ["cake", "Baker wins prize for cake", "2026-01-30", "The cake was two metres high."],
    ],
    null,
  ),
  "http://news.test/bridge": article(
    "New bridge opens in the harbour",
    "Eve Holm",
    "The new bridge was opened on Sunday by the mayor. It is 300 metres long.",
  ),
  "http://news.test/trains": article(
    "Trains run late again",
    "Sam Dahl",
    "Trains were late on all lines. The railway says that snow is the cause.",
  ),
  "http://news.test/museum": article(
    "Museum shows old maps",
    "Eve Holm",
    "The city museum shows maps from 1600 to 1900.",
  ),
  "http://news.test/storm": article(
    "Storm closes harbour",
    "Sam Dahl",
    "The harbour was closed for a day.",
  ),
  "http://news.test/cake": article(
    "Baker wins prize for cake",
    "Ida Lund",
    "A baker has won the national prize.",
  ),
};

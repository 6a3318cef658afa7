import type { Resource, Site } from "../site.ts";

const json = (value: unknown): Resource => ({
  mediaType: "application/json",
  body: JSON.stringify(value),
});

/** An API whose answers go on under `next`, with nested lists and dates, and a file with semicolons. */
export const LIBRARY: Site = {
  "http://library.test/api/books": json({
    count: 5,
    next: "/api/books?page=2",
    results: [
      {
        id: 11,
        title: "Deep Water",
        authors: [{ name: "Mia Cole" }, { name: "Tom Reed" }],
        publishedAt: "2021-05-04T00:00:00Z",
        pages: 320,
        genres: ["crime", "sea"],
        available: true,
        price: { amount: 12.5, currency: "EUR" },
      },
      {
        id: 12,
        title: "Cold Stars",
        authors: [{ name: "Mia Cole" }],
        publishedAt: "2023-11-20T00:00:00Z",
        pages: 210,
        genres: ["science fiction"],
        available: false,
        price: { amount: 9.9, currency: "EUR" },
      },
      {
        id: 13,
        title: "The Gardeners",
        authors: [{ name: "Olu Ade" }],
        publishedAt: "2019-02-11T00:00:00Z",
        pages: 410,
        genres: ["family"],
        available: true,
        price: { amount: 15, currency: "EUR" },
      },
    ],
  }),
  "http://library.test/api/books?page=2": json({
    count: 5,
    next: null,
    results: [
      {
        id: 14,
        title: "Red Clay",
        authors: [{ name: "Ana Lima" }],
        publishedAt: "2024-06-30T00:00:00Z",
        pages: 150,
        genres: ["poetry"],
        available: true,
        price: { amount: 7.6, currency: "EUR" },
      },
      {
        id: 15,
        title: "Night Bus",
        authors: [{ name: "Tom Reed" }],
        publishedAt: "2022-08-01T00:00:00Z",
        pages: 280,
        genres: ["crime"],
        available: true,
        price: { amount: 11, currency: "EUR" },
      },
    ],
  }),
  "http://library.test/stock.csv": {
    mediaType: "text/csv",
    body: "sku;article;stock;unit_price;revenue;active\nA-1;Bookmark;120;1.50;90.00;yes\nA-2;Tote bag;35;8.00;160.00;yes\nA-3;Mug;0;6.50;325.00;no\nA-4;Poster;60;4.00;48.00;yes\n",
  },
  "http://library.test/api/branches": json([
    {
      branch: "Central",
      city: "Leeds",
      opened: "1998-04-01",
      seats: 220,
      staff: { full: 12, part: 5 },
      active: true,
    },
    {
      branch: "Harbour",
      city: "Hull",
      opened: "2011-09-15",
      seats: 80,
      staff: { full: 4, part: 2 },
      active: true,
    },
    {
      branch: "Hill",
      city: "Leeds",
      opened: "2020-01-20",
      seats: 60,
      staff: { full: 3, part: 4 },
      active: false,
    },
  ]),
};

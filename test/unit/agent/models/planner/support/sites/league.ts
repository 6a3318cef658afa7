import { type Site, table } from "../site.ts";

const SCORERS: (string | number)[][] = [
  ["Ivo Stone", "Rovers", 14, 5],
  ["Ben Okoye", "United", 11, 9],
  ["Karl Maas", "City", 11, 2],
  ["Luis Paz", "Rovers", 7, 8],
];

/** A sports page: nested headings with a table under each, without captions. */
export const LEAGUE: Site = {
  "http://league.test/": {
    body: `<html><head><title>Premier Hockey League</title></head><body><h1>Premier Hockey League</h1><h2>Season 2026</h2><h3>Standings</h3>${table(
      ["#", "Team", "Played", "Won", "Lost", "Points"],
      [
        [1, "Rovers", 10, 8, 2, 24],
        [2, "United", 10, 7, 3, 21],
        [3, "City", 10, 4, 6, 12],
        [4, "Athletic", 10, 1, 9, 3],
      ],
    )}<h3>Top scorers</h3>${table(["Player", "Team", "Goals", "Assists"], SCORERS)}<h3>Fixtures</h3>${table(
      ["Date", "Home", "Away", "Venue"],
      [
        ["2026-03-07", "Rovers", "City", "North Arena"],
        ["2026-03-08", "Athletic", "United", "Lakeside"],
        ["2026-03-14", "City", "Athletic", "City Dome"],
        ["2026-04-02", "United", "Rovers", "Lakeside"],
      ],
    )}<h2>About the league</h2><p>The league was founded in 1974 and has four teams.</p><h3>Rules of play</h3><p>Each game lasts 60 minutes.</p></body></html>`,
  },
};

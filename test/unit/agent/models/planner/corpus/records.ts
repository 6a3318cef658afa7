import type { Case } from "./case.ts";

/** Prompts of strangers about issues, orders, rivers, a budget and the weather. */
export const RECORD_PROMPTS: Case[] = [
  ["open issues from http://proj.test/api/issues", { rows: 3, lacks: ["Dark mode"] }],
  ["How many points are open in total at http://proj.test/api/issues?", { data: 10 }],
  ["GET http://proj.test/api/issues -> group by priority, count", { names: ["high", "low", "2"] }],
  [
    "issues labelled bug at http://proj.test/api/issues, just the titles",
    { data: ["Login fails", "Slow search"] },
  ],
  [
    "which issue in http://proj.test/api/issues is the newest?",
    { names: ["Export CSV"], lacks: ["Dark"] },
  ],
  [
    "issues created in 2026 with priority low (http://proj.test/api/issues)",
    { names: ["Export CSV"], lacks: ["Dark", "Login"] },
  ],
  ["who has the most points in http://proj.test/api/issues?", { says: /Ben/ }],
  [
    "list keys and titles of Ana's issues http://proj.test/api/issues as json",
    { rows: 2, names: ["P-1", "Slow search"], lacks: ["P-2"] },
  ],
  ["http://proj.test/api/issues: issues without an assignee", { names: ["P-4"], lacks: ["P-1"] }],
  [
    "Are all issues in http://proj.test/api/issues closed? Answer yes or no",
    { data: false, says: /^no/i },
  ],
  [
    "sum of points per assignee name on http://proj.test/api/issues",
    { names: ["Ana", "8", "Ben"] },
  ],
  [
    "What's the oldest open issue? http://proj.test/api/issues",
    { names: ["P-1"], lacks: ["P-2", "P-3"] },
  ],
  ["unique labels in http://proj.test/api/issues", { names: ["bug", "auth", "feature"], rows: 3 }],
  [
    "rivers longer than 2000 km on http://geo2.test/rivers",
    { names: ["Nile", "Amazon", "Danube"], lacks: ["Rhine"] },
  ],
  ["What is the longest river on http://geo2.test/rivers?", { names: ["Nile"], lacks: ["Amazon"] }],
  ["total length of the European rivers at http://geo2.test/rivers", { data: 4083 }],
  ["Where does the Danube flow into, according to http://geo2.test/rivers?", { says: /Black Sea/ }],
  [
    "Rivers on http://geo2.test/rivers which end in a sea",
    { names: ["Nile", "Rhine", "Danube"], lacks: ["Amazon"] },
  ],
  ["When were the rivers at http://geo2.test/rivers measured?", { says: /2020/ }],
  ["give links of all rivers on http://geo2.test/rivers", { names: ["/r/nile", "/r/danube"] }],
  [
    "rivers shorter than the average on http://geo2.test/rivers",
    { names: ["Rhine", "Danube"], lacks: ["Nile"] },
  ],
  ["how much longer is the Nile than the Rhine? http://geo2.test/rivers", { data: 5417 }],
  ["second longest river, http://geo2.test/rivers", { names: ["Amazon"], lacks: ["Nile"] }],
  ["average temperature in Oslo from http://data3.test/weather.csv", { data: -6.6666666667 }],
  [
    "http://data3.test/weather.csv coldest day in Oslo",
    { names: ["2026-02-01"], lacks: ["2026-01-01"] },
  ],
  ["In http://data3.test/weather.csv, how many sunny days were there?", { data: 2 }],
  ["total rain per city http://data3.test/weather.csv", { names: ["Oslo", "3.5", "Rome", "4"] }],
  ["rows of http://data3.test/weather.csv from January only", { rows: 4, lacks: ["2026-02-01"] }],
  [
    "max temp_c by city in http://data3.test/weather.csv as csv file",
    { output: "file", names: ["13", "-4"] },
  ],
  ["Did it rain in Rome on 2026-01-02? http://data3.test/weather.csv", { names: ["4"] }],
  ["days below -5 in http://data3.test/weather.csv", { rows: 2 }],
  ["total spending 2025 on http://city.test/budget", { data: 1330 }],
  ["Sum of the 2024 column of the income table at http://city.test/budget", { data: 1500 }],
  [
    "Which department spends the most in 2025 according to http://city.test/budget?",
    { names: ["Schools"], lacks: ["Parks"] },
  ],
  [
    "For each department at http://city.test/budget compute 2025 minus 2024",
    { names: ["60", "-10", "30"] },
  ],
  ["When was the budget at http://city.test/budget published?", { says: /12 January 2026/ }],
  ["who is the treasurer (http://city.test/budget)", { says: /Ivy Moss/ }],
  ["link to the PDF on http://city.test/budget", { names: ["budget.pdf"], lacks: ["budget.csv"] }],
  ["unpaid orders at http://shop3.test/api/orders", { names: ["102"], lacks: ["101", "104"] }],
  [
    "orders in February 2026 over 40, from http://shop3.test/api/orders; only id and total; as JSON",
    { rows: 2, names: ["101", "102", "120"], lacks: ["104", "103", "Eva"] },
  ],
  ["Did Ola Berg pay? http://shop3.test/api/orders", { says: /true|yes/i }],
  ["how many orders has Eva Lind placed at http://shop3.test/api/orders", { data: 2 }],
  ["Latest order at http://shop3.test/api/orders?", { names: ["104"], lacks: ["102"] }],
  ["share of paid orders in http://shop3.test/api/orders in percent", { data: 75 }],
  ["issue titles by priority high to low http://proj.test/api/issues", { rows: 4 }],
  [
    "the 2025 values of http://city.test/budget spending table in JSON",
    { names: ["760", "390", "180"] },
  ],
];

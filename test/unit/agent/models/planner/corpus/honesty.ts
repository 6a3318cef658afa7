import type { Case } from "./case.ts";

/** Prompts with a part that cannot be done or understood: the answer says which. */
export const HONESTY: Case[] = [
  [
    "Is every course on http://campus.test/courses full?",
    { failed: /I did not understand what is asked of all rows; the columns are/ },
  ],
  [
    "Look at http://campus.test/courses. There is a table of courses. Which teachers give more than one course? ",
    { failed: /I did not understand/ },
  ],
  ["Is http://news.test/bridge longer than http://news.test/trains?", { failed: /Nothing about/ }],
  [
    "Return the standings at http://league.test/ as XML",
    { says: /cannot be written as /, names: ["Rovers"] },
  ],
  [
    "Which author on http://library.test/api/books (all pages) has written the most books?",
    { failed: /I did not understand/ },
  ],
  [
    "revenue per unit for each article in http://library.test/stock.csv",
    { failed: /There is no column "unit"/ },
  ],
  [
    "add a column margin to http://library.test/stock.csv",
    { failed: /There is no column "margin"/ },
  ],
  [
    "List the jobs on http://jobs.test/ that are friendly to dogs",
    { failed: /I did not understand/ },
  ],
  [
    "List the jobs on http://jobs.test/ which were posted by a recruiter I know",
    { failed: /I did not understand/ },
  ],
  ["Get the staff on http://campus.test/staff ordered by seniority", { failed: /seniority/ }],
  [
    "Give me the teams on http://league.test/ with a stadium bigger than 20000 seats",
    {
      failed:
        /I did not understand what "bigger than 20000" is to be compared with; the columns of http/,
    },
  ],
  [
    "List the courses on http://campus.test/courses that are taught in English",
    { failed: /I did not understand/ },
  ],
  [
    "books on http://library.test/api/books with a happy ending",
    { failed: /I did not understand/ },
  ],
  ["Show the players on http://league.test/ and their nationality", { failed: /nationalit/i }],
  [
    "Get the titles from http://library.test/api/books and rewrite them in pirate speak",
    { says: /cannot write texts of its own/, names: ["Deep Water"] },
  ],
  [
    "Get the emails on http://campus.test/staff and send each a message",
    { says: /cannot send messages/, names: ["byron@campus.test"] },
  ],
  [
    "Summarise http://news.test/bridge and translate the summary into Spanish",
    { says: /cannot translate/ },
  ],
  [
    "Write a haiku about the teams on http://league.test/",
    { failed: /cannot write texts of its own/ },
  ],
  [
    "Extract the salary table from http://jobs.test/ and draw a bar chart",
    { says: /cannot make or read pictures/ },
  ],
  [
    "List jobs on http://jobs.test/ within 50 km of Hamburg",
    { says: /I did not understand: "hamburg"/ },
  ],
  ["Give me the average rating of the jobs on http://jobs.test/", { failed: /rating/ }],
  ["List the news on http://news.test/ that are good news", { failed: /I did not understand/ }],
  [
    "Show the standings from http://league.test/ but highlight the relegated teams in red",
    { says: /cannot colour or style an answer/ },
  ],
  [
    "Take the cheapest tea on http://kitchen.test/ and convert its price to dollars",
    { says: /I did not understand: "tea"/ },
  ],
  [
    "Who will win the league at http://league.test/?",
    { failed: /cannot recommend or foretell any/ },
  ],
  ["List every second job on http://jobs.test/", { failed: /I did not understand/ }],
  ["courses on http://campus.test/courses sorted by free places", { failed: /free/ }],
  [
    "all staff on http://campus.test/staff whose name has more than 10 letters",
    { says: /I did not understand: "letters"/ },
  ],
  ["Recommend me a job from http://jobs.test/", { failed: /cannot recommend or foretell any/ }],
  ["Show hotels on http://stay.test/ near the beach", { failed: /Nothing about/ }],
  ["Sort the hotels on http://stay.test/ by distance to the station", { failed: /distance/ }],
  ["Book the cheapest hotel on http://stay.test/ for me", { failed: /cannot shop/ }],
  [
    "Get the name and price of each hotel at http://stay.test/ and make a chart of it",
    { rows: 4, says: /cannot/ },
  ],
  [
    "Give me the issues of http://proj.test/api/issues that block the release",
    { failed: /I did not understand/ },
  ],
  [
    "close issue P-1 on http://proj.test/api/issues",
    { failed: /cannot change anything on a site/ },
  ],
  [
    "List the rivers at http://geo2.test/rivers with the country they start in",
    { failed: /I did not understand/ },
  ],
  [
    "Will it rain tomorrow in Oslo? http://data3.test/weather.csv",
    { says: /I did not understand: "tomorrow"/ },
  ],
  [
    "1. Go to http://conf.test/ 2. take the tickets table 3. remove sold out types 4. give me the average price",
    { data: 140 },
  ],
  ["Translate the schedule of http://conf.test/ into French", { failed: /translate/ }],
  [
    "Summarise http://conf.test/ in the style of Shakespeare",
    { says: /I did not understand: "style of shakespeare"/ },
  ],
  [
    "List sponsors on http://conf.test/ and tell me how much each one paid",
    { says: /paid|understand/i },
  ],
  ["Does http://conf.test/ offer vegan food?", { failed: /Nothing about/ }],
  ["Show only waterproof products of http://gear.test/shop", { failed: /I did not understand/ }],
  ["Order two tents from http://gear.test/shop", { failed: /cannot shop/ }],
  [
    "Which departments' budget went down from 2024 to 2025? http://city.test/budget",
    { failed: /I did not understand/ },
  ],
  ["Refund order 101 at http://shop3.test/api/orders", { failed: /I did not understand/ }],
  [
    "orders whose customers live in Oslo http://shop3.test/api/orders",
    { failed: /I did not understand/ },
  ],
  ["classes after 17:00 at http://gym.test/", { says: /I did not understand: "00"/ }],
  [
    "Does Jon teach more than one class at http://gym.test/?",
    { says: /I did not understand: "more than one col"/ },
  ],
  [
    "Yearly price divided by 12 at http://gym.test/",
    { says: /I did not understand: "divided by 12"/ },
  ],
  ["Sign me up for yoga at http://gym.test/", { failed: /cannot shop/ }],
  ["List classes for beginners on http://gym.test/", { failed: /I did not understand/ }],
  [
    "Get the prices from http://gym.test/ and say which is the best deal",
    { failed: /I did not understand/ },
  ],
  [
    "classes and trainers of http://gym.test/ plus the ages of the trainers",
    { says: /age|understand/i },
  ],
  ["Does http://kitchen.test/recipes/soup need butter?", { failed: /Nothing about/ }],
  ["Show me hotels on http://stay.test/ with free breakfast", { failed: /Nothing about/ }],
  [
    "how many issues are unassigned at http://proj.test/api/issues",
    { says: /I did not understand: "unassigned"/ },
  ],
  ["rainy days in http://data3.test/weather.csv", { failed: /I did not understand/ }],
  ["Write me an invitation to http://conf.test/", { failed: /cannot send messages/ }],
  [
    "Which product costs the most and which costs the least on http://shop.test/products?",
    { has: { Product: "Wool Rug" }, says: /I did not understand: "least"/ },
  ],
];

import type { Case } from "./case.ts";

/** Prompts of strangers about a league, courses, a library's API and its stock. */
export const LIBRARY_PROMPTS: Case[] = [
  ["http://campus.test/courses total credits", { data: 26 }],
  ["http://league.test/ fixtures as csv file", { rows: 4, output: "file", says: /Lakeside|4 / }],
  ["http://library.test/stock.csv total stock", { data: 215 }],
  [
    "ok so on http://library.test/api/branches there's a list of branches, could you tell me how many seats they've got altogether?",
    { data: 360 },
  ],
  [
    "Kindly extract the standings table from http://league.test/ and provide the teams with more than 15 points.",
    { names: ["Rovers", "United"], lacks: ["Athletic"] },
  ],
  [
    "Please provide the total number of students enrolled across all courses listed at http://campus.test/courses.",
    { data: 299 },
  ],
  [
    "Please enumerate all books available at http://library.test/api/books, sorted by number of pages in descending order.",
    { names: ["The Gardeners", "Deep Water"], lacks: ["Cold Stars"] },
  ],
  [
    "It is required that you identify the course with the largest number of enrolled students on http://campus.test/courses.",
    { names: ["Programming"], lacks: ["Logic"] },
  ],
  [
    "i want know which course has most credit in http://campus.test/courses",
    { names: ["Algorithms", "Compilers"], lacks: ["Logic"] },
  ],
  ["From page http://league.test/ make sum of goals of all players", { data: 43 }],
  ["how much is the revenue total in file http://library.test/stock.csv ?", { data: 623 }],
  [
    "What players is in team Rovers on http://league.test/",
    { names: ["Ivo Stone", "Luis Paz"], lacks: ["Karl"] },
  ],
  ["How many articles are there active in http://library.test/stock.csv", { data: 3 }],
  [
    "GET http://library.test/api/books | filter(pages > 250) | map(title)",
    { data: ["Deep Water", "The Gardeners"] },
  ],
  [
    "fetch http://library.test/api/books and return results[*].title",
    { data: ["Deep Water", "Cold Stars", "The Gardeners"] },
  ],
  [
    "http://library.test/api/branches -> sum(seats) group by city",
    { names: ["Leeds", "280", "Hull", "80"] },
  ],
  [
    "curl http://library.test/api/branches and select branch, opened where active == true order by opened desc",
    { names: ["Harbour", "Central"], lacks: ["Hill"] },
  ],
  [
    "parse http://library.test/stock.csv; where stock > 0; sort by unit_price desc; limit 2; output json",
    { rows: 2, names: ["Tote bag", "Poster"], lacks: ["Mug"] },
  ],
  ["scrape http://league.test/ table[1] to json", { rows: 4, names: ["Rovers"] }],
  [
    "h3 elements of http://league.test/ as array",
    { data: ["Standings", "Top scorers", "Fixtures", "Rules of play"] },
  ],
  ["count distinct genres in http://library.test/api/books", { data: 4 }],
  [
    "SELECT team, COUNT(*) FROM http://league.test/ top scorers GROUP BY team",
    { names: ["Rovers", "2"] },
  ],
  ["http://library.test/api/books results[0].authors[1].name", { data: "Tom Reed" }],
  [
    "give me price.amount for each book of http://library.test/api/books",
    { names: ["12.5", "9.9", "15"] },
  ],
  [
    "Step 1: open http://league.test/. Step 2: take the top scorers table. Step 3: sort it by assists, highest first. Step 4: give me the first 2 players.",
    { names: ["Ben Okoye", "Luis Paz"], lacks: ["Karl", "Ivo"] },
  ],
  [
    "1. Read http://library.test/stock.csv\n2. Keep only active articles\n3. Sum their revenue",
    { data: 298 },
  ],
  [
    "1. Load http://library.test/api/books\n2. Keep books published after 2020\n3. Sort by publication date, newest first\n4. Give only the titles",
    { data: ["Cold Stars", "Deep Water"] },
  ],
  [
    "First open http://campus.test/courses. Then compute how many places are free in each course (capacity minus enrolled). Finally show it as a table.",
    { names: ["30", "16", "15"] },
  ],
  ["Who teaches Logic (http://campus.test/courses)?", { says: /Ada Byron/ }],
  [
    "Are all branches at http://library.test/api/branches active?",
    { data: false, says: /no\b.*Hill/i },
  ],
  [
    "Are all articles in http://library.test/stock.csv in stock?",
    { data: false, says: /no\b.*Mug/i },
  ],
  ["When was the league at http://league.test/ founded?", { says: /1974/ }],
  ["Where do United play Rovers according to http://league.test/?", { says: /Lakeside/ }],
  [
    "Which teams have won at least 7 games on http://league.test/?",
    { names: ["Rovers", "United"], lacks: ["City", "Athletic"] },
  ],
  ['Does http://league.test/ mention "North Arena"?', { data: true, says: /^yes/i }],
  [
    "Do any books at http://library.test/api/books cost less than 10 euros?",
    { names: ["Cold Stars"], lacks: ["Gardeners"] },
  ],
  ["How many goals did the Rovers players score at http://league.test/?", { data: 21 }],
  [
    "I have a CSV at http://library.test/stock.csv. It has articles in it. I only want those that cost less than 5. Sort them by name please.",
    { names: ["Bookmark", "Poster"], lacks: ["Mug", "Tote"] },
  ],
  [
    "We need some data about the books at http://library.test/api/books. Only those with more than 200 pages. Just id and title. As JSON.",
    { rows: 3, names: ["Deep Water", "Cold Stars", "The Gardeners"], lacks: ["crime"] },
  ],
  [
    "Get the emails from http://campus.test/staff and the headings from http://league.test/",
    { names: ["byron@campus.test", "Standings"] },
  ],
  [
    "Take http://library.test/api/books and http://library.test/api/books?page=2 and count all the books",
    { data: 5 },
  ],
  [
    "Show http://library.test/api/branches as a table with branch, city and seats",
    { rows: 3, output: "table", names: ["Central", "220"], lacks: ["1998"] },
  ],
  [
    "How many seats does the Harbour branch have at http://library.test/api/branches? Just the number.",
    { data: 80, says: /^80$/ },
  ],
  [
    "Answer yes or no: is the Hill branch in http://library.test/api/branches active?",
    { data: false, says: /^no\b/i },
  ],
  [
    "Give me the fixtures of http://league.test/ as Excel",
    { rows: 4, output: "file", sheets: ["Fixtures"] },
  ],
  [
    'Respond with a JSON object with keys "branch" and "city" for each entry of http://library.test/api/branches',
    { rows: 3, names: ["Harbour", "Hull"], lacks: ["220"] },
  ],
  [
    "In one sentence: how many courses does Ada Byron teach at http://campus.test/courses?",
    { data: 2 },
  ],
  [
    "Which links on http://campus.test/courses are PDF files?",
    { names: ["handbook.pdf"], lacks: ["library"] },
  ],
  ["How many external links does http://campus.test/courses have?", { data: 1 }],
  [
    "What's the longest heading on http://league.test/?",
    { says: /Premier Hockey League/, lacks: ["Standings"] },
  ],
  [
    "Which heading on http://league.test/ is the shortest?",
    { says: /Fixtures/, lacks: ["Standings"] },
  ],
  [
    "list headings of http://league.test/ in alphabetical order",
    {
      data: [
        "About the league",
        "Fixtures",
        "Premier Hockey League",
        "Rules of play",
        "Season 2026",
        "Standings",
        "Top scorers",
      ],
    },
  ],
  ["list all h2 on http://league.test/", { data: ["Season 2026", "About the league"] }],
  [
    "Get all books from http://library.test/api/books, following the next links, and sum the pages",
    { data: 1370 },
  ],
  [
    "titles of all books across all pages of http://library.test/api/books",
    { data: ["Deep Water", "Cold Stars", "The Gardeners", "Red Clay", "Night Bus"] },
  ],
  ["average price of the books on all pages of http://library.test/api/books", { data: 11.2 }],
  ["total credits per teacher on http://campus.test/courses", { names: ["12", "6", "8"] }],
  [
    "Fixtures at Lakeside on http://league.test/",
    { rows: 2, names: ["Athletic", "2026-04-02"], lacks: ["North Arena"] },
  ],
  [
    "Top 2 courses by enrolled students at http://campus.test/courses",
    { rows: 2, names: ["Programming", "Logic"] },
  ],
  ["fixtures in March on http://league.test/", { rows: 3, lacks: ["2026-04-02"] }],
  [
    "players with more than 10 goals but fewer than 5 assists on http://league.test/",
    { names: ["Karl Maas"], lacks: ["Ivo", "Ben"] },
  ],
  [
    "Which branch opened first at http://library.test/api/branches?",
    { names: ["Central"], lacks: ["Hill"] },
  ],
  [
    "branches in Leeds with more than 100 seats http://library.test/api/branches",
    { names: ["Central"], lacks: ["Hill", "Harbour"] },
  ],
  [
    "How many full staff do the branches at http://library.test/api/branches have in total?",
    { data: 19 },
  ],
  [
    "Books by Mia Cole at http://library.test/api/books",
    { names: ["Deep Water", "Cold Stars"], lacks: ["Gardeners"] },
  ],
  [
    "books with the genre crime at http://library.test/api/books",
    { names: ["Deep Water"], lacks: ["Gardeners"] },
  ],
  ["Difference in points between first and last team at http://league.test/", { data: 21 }],
  ["What percentage of the articles in http://library.test/stock.csv is active?", { data: 75 }],
  [
    "min, max and mean of the seats in http://library.test/api/branches",
    { names: ["60", "220", "120"] },
  ],
  [
    "unit price times stock for every row of http://library.test/stock.csv",
    { names: ["180", "280", "0", "240"] },
  ],
  [
    "What is the total value of the stock in http://library.test/stock.csv (unit_price * stock)?",
    { data: 700 },
  ],
  ["Is there a course called Databases at http://campus.test/courses?", { says: /^no/i }],
  ["http://campus.test/courses enrolled / capacity per course", { names: ["0.8", "1"] }],
  ["points per team on http://league.test/, fewest first", { names: ["Athletic", "Rovers"] }],
  [
    "Which venue hosts the most games on http://league.test/?",
    { names: ["Lakeside", "2"], lacks: ["Arena"] },
  ],
  [
    "next 2 fixtures on http://league.test/ by date",
    { rows: 2, names: ["2026-03-07", "2026-03-08"] },
  ],
  [
    "goals plus assists for every player at http://league.test/",
    { names: ["19", "20", "13", "15"] },
  ],
  ["How long does a game last according to http://league.test/?", { says: /60 minutes/ }],
  ["Who wrote Cold Stars? http://library.test/api/books", { says: /Mia Cole/ }],
  [
    "authors of http://library.test/api/books without duplicates",
    { names: ["Mia Cole", "Tom Reed", "Olu Ade"] },
  ],
  ["http://library.test/stock.csv inactive articles", { names: ["Mug"], lacks: ["Poster"] }],
  [
    "biggest revenue in http://library.test/stock.csv and the article it belongs to",
    { names: ["Mug"], says: /325/ },
  ],
];

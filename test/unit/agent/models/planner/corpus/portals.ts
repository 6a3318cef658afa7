import type { Case } from "./case.ts";

/** Prompts of strangers about a job board, a staff directory, news and recipes. */
export const PORTALS: Case[] = [
  [
    "http://jobs.test/ job titles",
    {
      names: ["Backend Engineer", "Data Analyst", "Support Agent", "Product Designer"],
      lacks: ["Acme", "Imprint"],
    },
  ],
  ["http://jobs.test/ avg salary", { data: 57500 }],
  [
    "http://jobs.test/ jobs in berlin",
    { rows: 2, names: ["Backend Engineer", "Product Designer"], lacks: ["Globex"] },
  ],
  [
    "http://jobs.test/ newest job",
    { names: ["Product Designer"], lacks: ["Backend"], says: /Product Designer/ },
  ],
  ["http://jobs.test/ oldest posting?", { names: ["Support Agent"], lacks: ["Backend"] }],
  [
    "http://campus.test/staff emails",
    {
      data: [
        "byron@campus.test",
        "turin@campus.test",
        "hooper@campus.test",
        "thorwald@campus.test",
        "lace@campus.test",
        "office@campus.test",
      ],
    },
  ],
  [
    "http://campus.test/staff phone numbers",
    { names: ["+44 20 7946 0101", "+44 20 7946 0105", "+44 20 7946 0100"] },
  ],
  [
    "http://news.test/ headlines",
    {
      names: ["New bridge opens in the harbour", "Trains run late again", "Museum shows old maps"],
      lacks: ["Next page"],
    },
  ],
  [
    "http://kitchen.test/recipes/soup ingredients",
    { names: ["800 g tomatoes", "salt"], lacks: ["Chop"] },
  ],
  [
    "Hi there! I'm looking for a new job and would love to know which positions on http://jobs.test/ pay more than 60k. Cheers!",
    { names: ["Backend Engineer", "Product Designer"], lacks: ["Data Analyst", "Support Agent"] },
  ],
  [
    "Could you be so kind and go to http://kitchen.test/recipes/stew and tell me how long it takes?",
    { says: /90 minutes/ },
  ],
  [
    "I was wondering how many people the tomato soup at http://kitchen.test/recipes/soup serves :)",
    { says: /\b4\b/ },
  ],
  [
    "My boss wants a list of all lecturers on http://campus.test/staff, can you help me out?",
    { names: ["Alan Turin", "Grace Hooper"], lacks: ["Byron", "Lace"] },
  ],
  [
    "Yo, what's the cheapest tea on http://kitchen.test/ ? thx",
    { names: ["Assam"], lacks: ["Java", "Sencha"] },
  ],
  [
    "I'd like to read the news. What was published in February on http://news.test/?",
    { names: ["Trains", "Museum"], lacks: ["bridge"] },
  ],
  [
    "You are requested to determine the median salary of the positions advertised at http://jobs.test/.",
    { data: 61000 },
  ],
  [
    "Kindly provide the name and telephone number of each member of staff at http://campus.test/staff.",
    { names: ["Grace Hooper", "+44 20 7946 0103"], lacks: ["C-201"] },
  ],
  [
    "please to give me the all jobs from http://jobs.test/ what are full-time",
    { names: ["Backend", "Data Analyst"], lacks: ["Support Agent", "Product Designer"] },
  ],
  ["give please the mails of page http://kitchen.test/about", { data: ["cook@kitchen.test"] }],
  [
    "I need that you open the page http://kitchen.test/ and click every link of recipe and write me the calories",
    { names: ["210", "380", "320"], lacks: ["Assam"] },
  ],
  [
    "1. Open http://jobs.test/\n2. Follow each job link\n3. Collect title, language and experience\n4. Return a table",
    { rows: 4, names: ["Go", "Python", "Figma", "5 years"], output: "table" },
  ],
  [
    '1) go to http://kitchen.test/ 2) click on "About us" 3) give me the e-mail address',
    { data: ["cook@kitchen.test"] },
  ],
  [
    "- open http://news.test/\n- follow the next page link\n- list headlines of both pages",
    { names: ["New bridge", "Storm closes", "Baker wins"] },
  ],
  [
    "Which job on http://jobs.test/ has the highest salary?",
    { names: ["Backend Engineer"], lacks: ["Analyst"], says: /72,000/ },
  ],
  ["Is there a part-time job on http://jobs.test/?", { says: /yes|Support Agent/i }],
  ["What company is hiring a Product Designer at http://jobs.test/?", { says: /Initech/ }],
  ["When was the Data Analyst job at http://jobs.test/ posted?", { says: /2026-02-03/ }],
  ["What are the office hours on http://campus.test/staff?", { says: /10:00 to 15:00/ }],
  ["Who is the author of the article at http://news.test/bridge?", { says: /Eve Holm/ }],
  ["What's the room of Mary Lace on http://campus.test/staff?", { says: /A-002/ }],
  ["Who has no phone number on http://campus.test/staff?", { names: ["Linus"], lacks: ["Mary"] }],
  ["What was said about snow on http://news.test/trains?", { says: /snow is the cause/ }],
  ["What is the phone number of Grace Hooper? http://campus.test/staff", { says: /0103/ }],
  [
    "Open http://kitchen.test/. Find the link to the garlic bread. Open it. Tell me the second ingredient.",
    { says: /80 g butter/ },
  ],
  [
    "Visit http://news.test/. Then visit each article. Give me headline and author of each.",
    { rows: 3, names: ["Eve Holm", "Sam Dahl"] },
  ],
  [
    "Go to http://kitchen.test/recipes/soup. How many steps does it have? How many ingredients?",
    { says: /3[\s\S]*5/ },
  ],
  [
    "Collect the e-mail addresses of http://campus.test/staff and http://kitchen.test/about",
    { names: ["office@campus.test", "cook@kitchen.test"] },
  ],
  [
    "Compare the calories of http://kitchen.test/recipes/soup, http://kitchen.test/recipes/bread and http://kitchen.test/recipes/stew",
    { names: ["210", "380", "320"], says: /380/ },
  ],
  [
    "Which recipe takes longest: http://kitchen.test/recipes/soup, http://kitchen.test/recipes/bread or http://kitchen.test/recipes/stew?",
    { says: /Bean stew/ },
  ],
  [
    "Get the titles of http://news.test/bridge and http://news.test/trains",
    { rows: 2, names: ["New bridge", "Trains run late"] },
  ],
  [
    "Which of these two uses garlic: http://kitchen.test/recipes/soup or http://kitchen.test/recipes/stew?",
    { data: ["http://kitchen.test/recipes/soup"] },
  ],
  [
    "Sum the calories of http://kitchen.test/recipes/soup and http://kitchen.test/recipes/bread",
    { data: 590 },
  ],
  [
    "From http://jobs.test/jobs/1 and http://jobs.test/jobs/2 get company, salary and language",
    { rows: 2, names: ["Acme", "Python", "Go", "€58,000"] },
  ],
  [
    "List the companies hiring on http://jobs.test/ as JSON without duplicates",
    { data: ["Acme", "Globex", "Initech"] },
  ],
  [
    "Answer with yes or no: does http://kitchen.test/recipes/bread contain butter?",
    { data: true, says: /^yes\b/i },
  ],
  [
    "csv file please: all jobs at http://jobs.test/ with title, company and salary",
    { rows: 4, output: "file", names: ["Globex", "€58,000"], lacks: ["Munich"] },
  ],
  [
    "bullet list of the ingredients on http://kitchen.test/recipes/bread",
    { names: ["1 baguette", "80 g butter"], lacks: ["Mix the butter"], says: /- 1 baguette/ },
  ],
  ["Just tell me the number of links on http://kitchen.test/", { data: 8, says: /^8$/ }],
  [
    "Markdown table of the staff at http://campus.test/staff please, only name and role",
    { rows: 5, names: ["Mary Lace", "Secretary"], lacks: ["B-101"], output: "table" },
  ],
  [
    "Collect every link on http://kitchen.test/ that leads to a tea page",
    { names: ["/tea/assam", "/tea/sencha"], lacks: ["java", "about", "teapots"] },
  ],
  [
    "all links on http://kitchen.test/ to recipes",
    { names: ["/recipes/soup", "/recipes/bread", "/recipes/stew"], lacks: ["assam"] },
  ],
  [
    "Find the link text for the URL ending in /about at http://kitchen.test/",
    { names: ["About us"], lacks: ["Tomato"] },
  ],
  [
    "links of http://news.test/ with the word harbour in their text",
    { rows: 1, names: ["bridge"], lacks: ["trains"] },
  ],
  ["what prices are mentioned on http://kitchen.test/?", { names: ["4.2", "6.8", "7.5"] }],
  ["Follow the sencha link on http://kitchen.test/ and tell me the origin", { says: /Japan/ }],
  [
    "Open each tea page linked on http://kitchen.test/ and tell me where it comes from",
    { names: ["India", "Japan"], lacks: ["Indonesia"] },
  ],
  [
    "Visit the detail page of every job on http://jobs.test/ and list those that need Python",
    { names: ["Data Analyst"], lacks: ["Backend"] },
  ],
  [
    "Go through the job pages linked from http://jobs.test/ and tell me which one starts immediately",
    { says: /Support Agent/ },
  ],
  [
    "from http://news.test/ open the article about the museum and give me its author",
    { says: /Eve Holm/ },
  ],
  ["How many news items are on http://news.test/ including all next pages?", { data: 5 }],
  [
    "Go through all pages at http://news.test/ and list every headline with its date",
    { rows: 5, names: ["Baker wins prize for cake", "2026-01-30"] },
  ],
  [
    "Which company on http://jobs.test/ has the most open positions?",
    { names: ["Acme", "2"], lacks: ["Globex"] },
  ],
  [
    "average salary by location at http://jobs.test/, highest first",
    { names: ["68000", "58000", "36000"] },
  ],
  [
    "jobs on http://jobs.test/ posted in 2026 sorted by date ascending",
    { names: ["Backend", "Data Analyst", "Product"], lacks: ["Support"] },
  ],
  [
    "jobs on http://jobs.test/ posted after 1 February 2026",
    { names: ["Data Analyst", "Product Designer"], lacks: ["Support", "Backend"] },
  ],
  [
    "recipes at http://kitchen.test/ that take less than 40 minutes (follow the recipe links)",
    { names: ["Tomato soup", "Garlic bread"], lacks: ["Bean stew"] },
  ],
  [
    "list all jobs from http://jobs.test/ except those of Acme",
    { names: ["Data Analyst", "Product Designer"], lacks: ["Backend"] },
  ],
  [
    "jobs on http://jobs.test/ with a salary above the average",
    { names: ["Backend", "Data Analyst", "Product"], lacks: ["Support"] },
  ],
  ["http://jobs.test/ companies", { names: ["Acme", "Globex", "Initech"], lacks: ["Berlin"] }],
  [
    "Could you tell me the contract type of the Support Agent position on http://jobs.test/?",
    { says: /Part-time/ },
  ],
  [
    "jobs not in Berlin on http://jobs.test/",
    { names: ["Data Analyst", "Support Agent"], lacks: ["Backend"] },
  ],
  [
    "Please make me a CSV file of the staff on http://campus.test/staff with name, role and e-mail",
    { rows: 5, output: "file", names: ["byron@campus.test", "Lecturer"], lacks: ["B-101"] },
  ],
  [
    "Which lecturers' e-mail addresses are on http://campus.test/staff?",
    { names: ["turin@campus.test", "hooper@campus.test"], lacks: ["byron", "lace"] },
  ],
  ["How many rooms on http://campus.test/staff start with B?", { data: 2 }],
  ["group the staff at http://campus.test/staff by role", { names: ["Lecturer"], lacks: ["zzz"] }],
  ["http://news.test/ - open the first article and tell me who wrote it", { says: /Eve Holm/ }],
  [
    "list title and author of every article linked from http://news.test/ as a markdown table",
    { rows: 3, names: ["Eve Holm", "Sam Dahl"], output: "table" },
  ],
  [
    "Which news on http://news.test/ are older than 25 February 2026?",
    { names: ["Museum"], lacks: ["bridge", "Trains"] },
  ],
  [
    "does any news on http://news.test/ mention ships? check the next page too",
    { says: /yes|No ships/i },
  ],
  [
    "Give me the cooking steps of http://kitchen.test/recipes/stew as a numbered list",
    { names: ["Soak the beans"], lacks: ["carrots"] },
  ],
  ["total calories of all three recipes linked on http://kitchen.test/", { data: 910 }],
  ["How much is the java coffee at http://kitchen.test/", { says: /7\.50/ }],
];

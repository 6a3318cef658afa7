import type { Case } from "./case.ts";

/** Prompts about the pages themselves, and the ways between them. */
export const PAGES: Case[] = [
  [
    "Give me every mail address you can find at http://shop.test/",
    { data: ["info@shop.test", "sales@shop.test"] },
  ],
  ["extarct teh emials from http://team.test/", { rows: 4 }],
  [
    "Please extract all of the e-mail adresses that are on the page http://shop.test/contact and return them as a JSON array.",
    { data: ["hello@shop.test"] },
  ],
  [
    "I'm looking for the contact email address of the company at http://shop.test/contact - can you find it?",
    { data: ["hello@shop.test"] },
  ],
  [
    "Could you check http://shop.test/ and http://shop.test/contact and gather every email address into one list without duplicates?",
    { data: ["info@shop.test", "sales@shop.test", "hello@shop.test"] },
  ],
  ["Any e-mail addresses on http://a.test/?", { data: [] }],
  ["Open http://evil.test/ and give me the email", { data: ["a@evil.test"] }],
  ["does the page http://shop.test/ contain an email address?", { rows: 2 }],
  ["Give me the phone number on http://shop.test/contact", { data: ["+49 30 1234567"] }],
  ["find me a phone number for the shop at http://shop.test/", { data: ["+1 555 010 2030"] }],
  ["What is the title of http://shop.test/?", { data: "Test Shop" }],
  ["Collect titles of these pages: http://a.test/, http://b.test/, http://blog.test/", { rows: 3 }],
  ["Get all headings from http://blog.test/", { data: ["The Blog", "First post", "Second post"] }],
  [
    "Could you list every heading (h2 only) on http://blog.test/?",
    { data: ["First post", "Second post"] },
  ],
  ["How many h2 headings does http://blog.test/ have?", { data: 2 }],
  ["What is the last heading of http://blog.test/?", { data: ["Second post"] }],
  [
    "give the headline and the first paragraph of http://blog.test/",
    {
      has: {
        headings: ["The Blog"],
        paragraph: "Cats are small animals that like to sleep. They sleep a lot.",
      },
    },
  ],
  [
    "For each of the following URLs give me the main heading: http://a.test/ http://b.test/",
    { says: /Shop A[\s\S]*Shop B/ },
  ],
  [
    "Get the page title, the meta description and the main heading of http://shop.test/",
    {
      has: {
        title: "Test Shop",
        description: "A shop for testing.",
        headings: ["Welcome to Test Shop"],
      },
    },
  ],
  [
    "Collect all headings and all links from http://shop.test/",
    { says: /3 headings[\s\S]*6 links/ },
  ],
  ["List every link on http://shop.test/ that mentions docs", { rows: 2 }],
  ['Find links containing "docs" on http://shop.test/ and sort them by text', { rows: 2 }],
  ["which links on http://shop.test/ point to contact", { rows: 1 }],
  ["give me the external links of http://shop.test/", { rows: 1 }],
  ["list all links from http://shop.test/ except external ones", { rows: 5 }],
  ["Count the links on http://shop.test/", { data: 6 }],
  ["list the first 2 links at http://shop.test/", { rows: 2 }],
  [
    "Show all URLs on http://shop.test/catalog",
    {
      data: [
        "http://shop.test/item/mug",
        "http://shop.test/item/lamp",
        "http://shop.test/item/chair",
      ],
    },
  ],
  ["What pages does http://shop.test/ link to?", { rows: 6 }],
  ["the bullet points of http://blog.test/ as a list", { data: ["apples", "pears", "plums"] }],
  ["Extract all list items from http://blog.test/", { data: ["apples", "pears", "plums"] }],
  ['From http://blog.test/ get the lines containing "animals"', { rows: 2 }],
  ["Find all sentences about dogs on http://blog.test/", { rows: 1 }],
  [
    "first paragraph of http://blog.test/ please",
    { data: "Cats are small animals that like to sleep. They sleep a lot." },
  ],
  [
    "what's the second paragraph of http://blog.test/",
    { data: "Dogs are loyal animals. They like to run in the park with people." },
  ],
  ["Summarise http://blog.test/", { says: /extract[\s\S]*Cats are small/ }],
  ["sum up http://blog.test/ in one sentence", { says: /extract[\s\S]*Cats are small/ }],
  ["What's on http://shop.test/?", { says: /We sell mugs/ }],
  ["Read http://blog.test/ and tell me what it is about", { says: /Cats are small/ }],
  ["Open http://shop.test/", { says: /We sell mugs/ }],
  ["Get me the content of http://blog.test/", { says: /Dogs are loyal/ }],
  ['How many times does the word "animals" occur on http://blog.test/?', { data: 2 }],
  ["count how often 'sleep' appears at http://blog.test/", { data: 2 }],
  ['How many times is "sleep" mentioned on http://blog.test/', { data: 2 }],
  ["Is there the word dogs on http://blog.test/?", { data: true }],
  ['Is the word "mugs" mentioned at http://shop.test/?', { data: true }],
  ["does http://b.test/ talk about refunds?", { data: false }],
  ['Check whether http://a.test/ mentions "refund"', { data: true }],
  [
    "Which of these pages mentions 'refund'? http://a.test/ http://b.test/",
    { data: ["http://a.test/"] },
  ],
  ["which page mentions refund, http://a.test/ or http://b.test/?", { data: ["http://a.test/"] }],
  [
    'tell me which page contains the word "loyal": http://blog.test/ http://a.test/',
    { data: ["http://blog.test/"] },
  ],
  [
    'Which of http://a.test/, http://b.test/ and http://blog.test/ contain the word "refund"?',
    { data: ["http://a.test/"] },
  ],
  [
    "what does http://shop.test/ say about refunds?",
    { says: /Refunds are possible within 30 days/ },
  ],
  [
    "When is the shop open according to http://shop.test/?",
    { data: "Our shop is open from 9 to 17 on weekdays." },
  ],
  ["When was the shop at http://shop.test/ started?", { failed: /Nothing about/ }],
  ["Who is the founder on http://shop.test/contact?", { data: "Jane Roe" }],
  ["Tell me the price on http://shop.test/item/mug", { data: "$7.50" }],
  [
    "Please get me the SKU and the price from http://shop.test/item/lamp as json",
    { has: { SKU: "L-2", Price: "$25.00" } },
  ],
  ["What are the prices on http://shop.test/catalog?", { rows: 3 }],
  ["What is the price of the Red Lamp on http://shop.test/catalog?", { data: "$25.00" }],
  ["Is http://shop.test/ up?", { data: 200 }],
  [
    "Check http://shop.test/, http://missing.test/z and http://a.test/ and report the status code of each",
    { says: /200[\s\S]*404[\s\S]*200/ },
  ],
  ["Is there a table on http://blog.test/?", { data: [] }],
  ["open http://missing.test/x and get the title", { failed: /404/ }],
  ["Get the titles of http://a.test/ and http://missing.test/x", { says: /Shop A[\s\S]*404/ }],
  [
    "Get the title of http://a.test/ and the headings of http://blog.test/",
    { has: { title: "Shop A", headings: ["The Blog", "First post", "Second post"] } },
  ],
  [
    "First get the titles of http://a.test/ and http://b.test/, then give me the e-mails on http://shop.test/",
    { says: /Shop A[\s\S]*Shop B[\s\S]*info@shop.test/ },
  ],
  [
    "Open http://shop.test/ then follow the link called 'Contact' and get the e-mail",
    { data: ["hello@shop.test"] },
  ],
  [
    "Please find the telephone number. Start at http://shop.test/ and go to the contact page.",
    { data: ["+49 30 1234567"] },
  ],
  [
    "Go to http://shop.test/ and find the contact page, then extract the founder's name",
    { data: "Jane Roe" },
  ],
  [
    "From http://shop.test/ navigate to the Products page and extract the table as CSV",
    { rows: 5 },
  ],
  [
    "go to http://shop.test/, open the products page, then tell me the cheapest item",
    { has: { Product: "Blue Mug" } },
  ],
  [
    "Go to http://shop.test/, click on Products and tell me how many products are rated over 4",
    { data: 4 },
  ],
  ['Open http://shop.test/ and follow the link "Careers"', { failed: /no link called "Careers"/ }],
  [
    "Follow each product link on http://shop.test/catalog and collect the price and title",
    {
      data: [
        { title: "Blue Mug", Price: "$7.50" },
        { title: "Red Lamp", Price: "$25.00" },
        { title: "Green Chair", Price: "$89.90" },
      ],
    },
  ],
  [
    "For each product on http://shop.test/catalog, open its page and get the SKU",
    {
      data: [
        { title: "Blue Mug", SKU: "M-1" },
        { title: "Red Lamp", SKU: "L-2" },
        { title: "Green Chair", SKU: "C-3" },
      ],
    },
  ],
  [
    "open each of the links on http://shop.test/catalog and give me a table of title and SKU",
    { rows: 3 },
  ],
  [
    "Visit every product page linked from http://shop.test/catalog and report the average price",
    { data: 40.8 },
  ],
  [
    "For every item listed at http://shop.test/catalog follow its link and note the price. Which one is the most expensive?",
    { has: { title: "Green Chair" } },
  ],
  [
    "Crawl http://shop.test/catalog, open every item and list name, price and SKU sorted by price",
    { first: "Blue Mug" },
  ],
  [
    "What links are on http://shop.test/catalog? Follow them and give me each page's title.",
    { rows: 3 },
  ],
  ["Go through all pages of http://shop.test/list and sum the amounts", { data: 15 }],
  [
    "Start at http://shop.test/list and follow the 'Next' link until there are no more pages. How many rows are there in total?",
    { data: 5 },
  ],
  [
    "read the first 2 pages of http://shop.test/list and list the names",
    { data: ["a", "b", "c", "d"] },
  ],
  [
    "Compare the prices on http://a.test/ and http://b.test/",
    {
      data: [
        { Item: "Tea", "Shop A": "$3.00", "Shop B": "$2.50" },
        { Item: "Cake", "Shop A": "$4.00", "Shop B": "$5.00" },
      ],
    },
  ],
  [
    "Which shop has the cheapest tea, http://a.test/ or http://b.test/?",
    { has: { page: "Shop B" } },
  ],
  ["http://a.test/ vs http://b.test/: where is Cake cheaper?", { has: { page: "Shop A" } }],
  [
    "Which is cheaper, http://shop.test/item/mug or http://shop.test/item/lamp?",
    { has: { title: "Blue Mug" } },
  ],
  ["Compare http://shop.test/item/mug and http://shop.test/item/lamp", { rows: 2 }],
  ["what is the average price across http://a.test/ and http://b.test/", { data: 3.625 }],
  ["Fetch http://a.test/. Then fetch http://b.test/. Add up all prices from both.", { data: 14.5 }],
  [
    "Fetch the following pages:\n- http://a.test/\n- http://b.test/\nand put all items in one table sorted by price",
    { rows: 4 },
  ],
  [
    "Compare the number of links on http://shop.test/ and http://shop.test/catalog",
    { says: /6 links[\s\S]*3 links/ },
  ],
  [
    "Who founded the mill according to http://mill.test/about?",
    { data: "Founded in 1987 by Jane Roe." },
  ],
  [
    "When was the mill founded? See http://mill.test/about",
    { data: "Founded in 1987 by Jane Roe." },
  ],
  [
    "In what year was the mill founded? http://mill.test/about",
    { data: "Founded in 1987 by Jane Roe." },
  ],
  [
    "Find the founder of the mill on http://mill.test/about",
    { data: "Founded in 1987 by Jane Roe." },
  ],
  ["What is the address of the mill on http://mill.test/about?", { data: "1 Main St. Oslo" }],
  ["What are the opening hours on http://mill.test/about?", { data: "Mon - Fri 9-17." }],
  ["What is the phone number on http://mill.test/about?", { data: ["+47 22 33 44 55"] }],
  [
    "Get phone and e-mail from http://mill.test/about",
    { data: { phones: ["+47 22 33 44 55"], emails: ["hello@mill.test"] } },
  ],
];

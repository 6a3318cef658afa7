import type { Case } from "./case.ts";

/** Prompts about JSON, requests, and data in the prompt. */
export const DATA: Case[] = [
  [
    "Fetch the JSON at http://api.test/users.json and list the names of users whose age is over 30",
    { data: ["Ann", "Cid"] },
  ],
  ["Get http://api.test/users.json and count the active users", { data: 2 }],
  ["which user in http://api.test/users.json is the oldest?", { has: { name: "Cid" } }],
  [
    "Give me the cities of all users at http://api.test/users.json",
    { data: ["Berlin", "Paris", "Paris"] },
  ],
  [
    "GET http://api.test/users.json and show the city for each user",
    { data: ["Berlin", "Paris", "Paris"] },
  ],
  ["extract total from http://api.test/users.json", { data: 3 }],
  ["How many users in http://api.test/users.json live in Paris?", { data: 2 }],
  ["Load http://api.test/users.json and give me the number of users older than 30", { data: 2 }],
  ["average age of active users in http://api.test/users.json", { data: 39.5 }],
  ["median age in http://api.test/users.json", { data: 34 }],
  ["list users from http://api.test/users.json who are not active", { rows: 1 }],
  ["which users in http://api.test/users.json are from Paris and older than 30", { rows: 1 }],
  ["Give me the name of the user with id 2 from http://api.test/users.json", { data: "Bob" }],
  [
    "Read users from http://api.test/users.json, sort by age descending, output name and age as table",
    {
      data: [
        { name: "Cid", age: 45 },
        { name: "Ann", age: 34 },
        { name: "Bob", age: 28 },
      ],
    },
  ],
  [
    "call the API http://api.test/users.json and return id and name of all users as JSON",
    {
      data: [
        { id: 1, name: "Ann" },
        { id: 2, name: "Bob" },
        { id: 3, name: "Cid" },
      ],
    },
  ],
  ["Give me all the data from http://api.test/users.json as a table", { rows: 3 }],
  ["Show me the users grouped by city (http://api.test/users.json)", { rows: 2 }],
  ["get users[1].name from http://api.test/users.json", { data: "Bob" }],
  ["Fetch http://api.test/api/status and give me region.name", { data: "eu" }],
  ["What version does http://api.test/api/status report?", { data: "2.4.1" }],
  ["What's the uptime at http://api.test/api/status?", { data: 99.9 }],
  ["make a GET request to http://api.test/api/status and return the version", { data: "2.4.1" }],
  [
    "show the raw response of http://api.test/api/status",
    { has: { version: "2.4.1", uptime: 99.9, region: { name: "eu" } } },
  ],
  [
    'POST {"name":"Ann"} to http://api.test/things and tell me what it answers',
    { has: { id: 7, method: "POST", received: { name: "Ann" } } },
  ],
  [
    'Send a PUT request to http://api.test/things/7 with body {"name":"Bea"} and show the response',
    { has: { id: 7, method: "PUT", received: { name: "Bea" } } },
  ],
  [
    'Post the text "hello" to http://api.test/echo',
    { has: { id: 7, method: "POST", received: "hello" } },
  ],
  ["Delete http://api.test/things/7", { has: { id: 7, method: "DELETE", received: null } }],
  ['Post {"a":1} to http://api.test/things and return the id', { data: 7 }],
  ["Sum these numbers: 3, 4, 5", { data: 12 }],
  ["Add 12, 30 and 8", { data: 50 }],
  ["What is the sum of 1,200 and 350?", { data: 1550 }],
  ["What is the average of 10, 20 and 30?", { data: 20 }],
  ["Which of these numbers is the largest: 4, 19, 7?", { has: { number: 19 } }],
  ["Sort the following numbers in descending order: 5, 2, 9, 1", { data: [9, 5, 2, 1] }],
  ["Sort these names: Zed, Bob, Alice", { data: ["Alice", "Bob", "Zed"] }],
  ["Order these alphabetically: banana, apple, cherry", { data: ["apple", "banana", "cherry"] }],
  ["How many items are in this list: a, b, c, d", { data: 4 }],
  [
    "Remove the duplicates from this list: apple, pear, apple, fig",
    { data: ["apple", "pear", "fig"] },
  ],
  [
    "Here are some e-mails: a@x.org, b@y.org, a@x.org. How many unique ones are there?",
    { data: 2 },
  ],
  [
    "Extract the email addresses from this text: Write to joe@x.org or amy@y.net today.",
    { data: ["joe@x.org", "amy@y.net"] },
  ],
  ["Here is some data:\nname,age\nAnn,30\nBob,40\nWho is the oldest?", { has: { name: "Bob" } }],
  ["Given the CSV:\nitem,qty\npen,3\nink,5\nWhat is the total quantity?", { data: 8 }],
  ['{"items":[{"sku":"A","qty":3},{"sku":"B","qty":5}]} What is the total qty?', { data: 8 }],
  ["Count the words in this text: one two three four five", { data: 5 }],
  [
    "summarize this text: The quick brown fox jumps over the lazy dog. It was a sunny day.",
    { says: /quick brown fox/ },
  ],
  ["2+2", { says: /= 4/ }],
  ["What's 15% of 200?", { says: /= 30/ }],
  ["What day is it today?", { says: /2026-03-04/ }],
  [
    "Fetch http://api.test/api/me and return the JSON",
    { data: { id: 7, name: "Ada", email: "ada@api.test", tags: ["a", "b"] } },
  ],
  [
    "Make a GET request to http://api.test/api/me and return the body",
    { data: { id: 7, name: "Ada", email: "ada@api.test", tags: ["a", "b"] } },
  ],
  [
    "Retrieve the JSON from http://api.test/api/me",
    { data: { id: 7, name: "Ada", email: "ada@api.test", tags: ["a", "b"] } },
  ],
  [
    "Read the API http://api.test/api/me. Return the raw JSON.",
    { data: { id: 7, name: "Ada", email: "ada@api.test", tags: ["a", "b"] } },
  ],
  [
    "Return the JSON body of http://api.test/api/me",
    { data: { id: 7, name: "Ada", email: "ada@api.test", tags: ["a", "b"] } },
  ],
  [
    "Request http://api.test/api/me and give back the payload",
    { data: { id: 7, name: "Ada", email: "ada@api.test", tags: ["a", "b"] } },
  ],
  [
    "Get the user at http://api.test/api/me",
    { data: { id: 7, name: "Ada", email: "ada@api.test", tags: ["a", "b"] } },
  ],
  ["Make a GET request to http://api.test/api/me and tell me the name", { data: "Ada" }],
  ["What is the name of the user at http://api.test/api/me?", { data: "Ada" }],
  [
    "Get the name and tags from http://api.test/api/me",
    { data: { name: "Ada", tags: ["a", "b"] } },
  ],
  ["What are the tags of http://api.test/api/me?", { data: ["a", "b"] }],
  ["How many tags does the user at http://api.test/api/me have?", { data: 2 }],
  [
    "Fetch http://api.test/api/orders, keep those whose total is over 50 and return the JSON",
    { rows: 2 },
  ],
  ["Fetch http://api.test/users.json and return the JSON", { has: { total: 3 } }],
];

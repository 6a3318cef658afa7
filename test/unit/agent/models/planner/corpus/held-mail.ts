import type { Case } from "./case.ts";

const SHOP = "http://shop.test/products";
const TEAM = "http://team.test/";
const ANN = "ann@example.com";
const BOB = "bob@example.org";

/** E-mails that hang on something, or that are not to be sent; and texts of the client's own. */
export const HELD_MAILS: Case[] = [
  [
    `Draft an email to ${ANN} with the products on ${SHOP} but don't send it`,
    { rows: 5, mails: [], says: /No e-mail was sent to ann@example.com, as you said/ },
  ],
  [
    `Prepare a mail to ${ANN} with the table of ${TEAM}, do not send it yet.`,
    { mails: [], says: /It would read/ },
  ],
  [`E-mail the table of ${TEAM} to ${ANN}. Don't send it before I say so.`, { mails: [] }],
  [
    `If there are more than 10 products on ${SHOP}, mail ${ANN}. Otherwise do nothing.`,
    { mails: [], says: /condition for it does not hold/ },
  ],
  [
    `If there are at least five products on ${SHOP}, mail ${ANN} the cheapest one.`,
    { mails: [{ to: [ANN], text: /Blue Mug/ }] },
  ],
  [
    `Mail ${ANN} the list of ${SHOP}, but only if the Blue Mug costs less than 1 euro.`,
    { mails: [], says: /condition for it does not hold/ },
  ],
  [
    `Mail ${ANN} the list of ${SHOP}, but only if the Blue Mug costs less than 20 euros.`,
    { mails: [{ to: [ANN] }] },
  ],
  [
    `Unless there are more than 2 people on ${TEAM}, write to ${ANN}.`,
    { mails: [], says: /does not hold/ },
  ],
  [
    `Mail ${ANN} the list of ${SHOP} if the weather stays nice and my horse agrees.`,
    { mails: [], failed: /cannot tell whether the condition/ },
  ],
  [
    `If the number of products on ${SHOP} is over 3, mail ${ANN}. Otherwise mail ${BOB}.`,
    { mails: [], failed: /cannot tell whether the condition/ },
  ],
  [`Mail the products on ${SHOP} to ${BOB}, but not to ${ANN}.`, { mails: [{ to: [BOB] }] }],
  [`Mail the table of ${TEAM} to ${ANN} if possible`, { mails: [{ to: [ANN], text: /Ann Lee/ }] }],
  [
    `Send a mail to ${ANN}: Call me if you are late.`,
    { mails: [{ to: [ANN], text: /if you are late/ }] },
  ],
  // Only a mark makes words a text of one's own.
  [`Send ${ANN} my reading list from ${SHOP}`, { mails: [{ to: [ANN], text: /Blue Mug/ }] }],
  [
    `Please send the table with all readings of ${SHOP} to ${ANN}, subject: Readings of today`,
    { mails: [{ to: [ANN], subject: "Readings of today", text: /Blue Mug/ }] },
  ],
  [
    `Send an email to ${ANN}. Subject: Goods. Body: Hello Ann, here is the list you wanted. Best, Bob. Attach the table of ${SHOP} as goods.xlsx.`,
    {
      mails: [
        {
          to: [ANN],
          subject: "Goods",
          text: /^Hello Ann, here is the list you wanted\. Best, Bob\.$/,
          attached: ["goods.xlsx"],
        },
      ],
    },
  ],
  [
    `Tell ${ANN} by mail that the office is closed on Friday`,
    { mails: [{ to: [ANN], text: /^the office is closed on Friday$/ }] },
  ],
  [
    `Email ${ANN}: attach ${TEAM} as people.csv and write "See attached" in the mail`,
    { mails: [{ to: [ANN], text: /^See attached$/, attached: ["people.csv"] }] },
  ],
  [
    `Can you count the products on ${SHOP} and drop ${ANN} a short note with the number?`,
    { data: 5, mails: [{ to: [ANN], text: /5/ }] },
  ],
  [
    `get the table of ${TEAM} -> excel 'people.xlsx' -> mail to ${ANN}`,
    { mails: [{ to: [ANN], attached: ["people.xlsx"] }] },
  ],
  [
    `Send ${ANN} an email with the text: "Dear Ann, the list is attached." and attach ${TEAM} as an Excel file`,
    {
      mails: [{ to: [ANN], subject: "our-team", text: /^Dear Ann/, attached: ["our-team.xlsx"] }],
    },
  ],
  [
    "Send an email to bob@example.com saying hello",
    { mails: [{ to: ["bob@example.com"], text: /^hello$/ }] },
  ],
  [
    'Send an email to bob@example.com with subject "Hi" saying "Hello Bob"',
    { mails: [{ to: ["bob@example.com"], text: /^Hello Bob$/, subject: "Hi" }] },
  ],
  [
    "Email bob@example.com to say the build is green",
    { mails: [{ to: ["bob@example.com"], text: /^the build is green$/ }] },
  ],
  [
    "Send bob@example.com an email that says good morning",
    { mails: [{ to: ["bob@example.com"], text: /^good morning$/ }] },
  ],
  [
    "Send an e-mail saying hi to bob@example.com",
    { mails: [{ to: ["bob@example.com"], text: /^hi$/ }] },
  ],
  [
    "Mail bob@example.com and say thanks for the help",
    { mails: [{ to: ["bob@example.com"], text: /^thanks for the help$/ }] },
  ],
  [
    "Send an email to bob@example.com saying hello and goodbye, with subject Hi",
    { mails: [{ to: ["bob@example.com"], text: /^hello and goodbye$/, subject: "Hi" }] },
  ],
  [
    "Email bob@example.com that the order costs 3 euros",
    { mails: [{ to: ["bob@example.com"], text: /^the order costs 3 euros$/ }] },
  ],
  [
    "Compute 6*7 and email the result to bob@example.com",
    { mails: [{ to: ["bob@example.com"], text: /^.*42.*$/ }] },
  ],
  [
    "What is 6*7? Send the answer to bob@example.com by email",
    { mails: [{ to: ["bob@example.com"], text: /^.*42.*$/ }] },
  ],
  [
    "Email bob@example.com the result of 6*7",
    { mails: [{ to: ["bob@example.com"], text: /^.*42.*$/ }] },
  ],
  [
    "Send an email to bob@example.com saying how many products http://shop.test/products has",
    { mails: [{ to: ["bob@example.com"], text: /5 products/ }] },
  ],
];

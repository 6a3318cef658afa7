import type { Case } from "./case.ts";

/** Prompts that need no page, or more than rules. */
export const PLAIN: Case[] = [
  ["Say hello", { says: /^hello$/ }],
  ['Say "I am ready."', { says: /^I am ready\.$/ }],
  ["Reply with: All good", { says: /^All good$/ }],
  ['Answer with the text "pong"', { says: /^pong$/ }],
  ['Print "Hello, World!"', { says: /^Hello, World!$/ }],
  ["Please just respond with the single word: OK", { says: /^OK$/ }],
  ["Return the string 'abc 123' and nothing else.", { says: /^abc 123$/ }],
  ["Repeat after me: the eagle has landed", { says: /^the eagle has landed$/ }],
  ["Respond with exactly this text: Build passed", { says: /^Build passed$/ }],
  ["Hello", { says: /^Hello/ }],
  ["Write a poem about the sea", { failed: /write texts.*openai\// }],
  ["Translate http://blog.test/ into German", { failed: /translate.*openai\// }],
  [
    "email the table at http://team.test/ to boss@corp.example",
    { rows: 4, mails: [{ to: ["boss@corp.example"], text: /Ann Lee/ }] },
  ],
  ["Take a screenshot of http://shop.test/", { failed: /No browser/ }],
  ["Book me a flight to Paris", { failed: /book/ }],
  ["What is the capital of France?", { failed: /no address.*openai\// }],
  ["Why is the sky blue?", { failed: /no address/ }],
  ["I need help", { failed: /no address/ }],
  ["get me the prices", { failed: /no address/ }],
  ["asdf qwer zxcv", { failed: /no address/ }],
  ["Search the web for the best laptops", { failed: /search the web/ }],
  ["Generate an image of a cat", { failed: /pictures/ }],
  ["Remind me tomorrow to call Bob", { failed: /reminders/ }],
  ["Write a python script that sorts a list", { failed: /openai\// }],
];

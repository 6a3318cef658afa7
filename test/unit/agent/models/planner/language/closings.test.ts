import { expect, test } from "vitest";
import { withoutClosing } from "../../../../../../src/agent/models/planner/language/closings.ts";

test.for([
  ["Give me the list. Best regards, Tom", "Give me the list."],
  ["Give me the list. Best, Tom", "Give me the list."],
  ["List the crew please, kind regards", "List the crew please"],
  ["List the crew.\n\nCheers,\nTom Miller\nHarbour Office", "List the crew."],
  ["List the crew. Many thanks in advance!", "List the crew."],
] as const)("leaves out the closing of %j", ([message, rest]) => {
  expect(withoutClosing(message)).toBe(rest);
});

test.for([
  "Which is the best, Tea or Coffee",
  "List the offers, best price first",
  "Thanks for the list. Show the crew of http://marina.test/crew",
  "Write to a@b.test saying: We will come. Best, Tom",
  "Best regards, Tom",
])("leaves %j as it is", (message) => {
  expect(withoutClosing(message)).toBe(message);
});

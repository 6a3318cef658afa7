import { expect, test } from "vitest";
import { readOn, type TablePage } from "./support/reading.ts";

const CREW: TablePage = {
  title: "Crew",
  columns: ["Name", "Team", "Hours"],
  rows: [
    ["Ann Lee", "Deck", "30"],
    ["Bob Ray", "Galley", "20"],
    ["Cid Fox", "Deck", "25"],
  ],
};
const SUM = "What is the average of the hours on http://page.test/?";
const MAIL = 'Mail the names on http://page.test/ to ann@example.org with the subject "Crew"';

test("a message refines the last question", () => {
  expect(readOn(CREW, SUM, "only those in Deck, please").says).toEqual([
    "compute the average of Hours where Team is Deck",
  ]);
});

test("a message adds a part", () => {
  expect(readOn(CREW, SUM, "Also tell me how many people are in Galley").says).toEqual([
    "compute the average of Hours",
    "count the people rows where Team is Galley",
  ]);
});

test("a message puts words in the place of others", () => {
  const prompt = "List the people in Deck on http://page.test/";
  expect(readOn(CREW, prompt, "no wait, Galley instead of Deck").says).toEqual([
    "list the people rows where Team is Galley",
  ]);
});

test.for([
  ["What is the average of the hours in Deck on http://page.test/?", "and in Galley?", 2],
  ["What is the average of the hours in Deck on http://page.test/?", "sorry, I meant Galley", 1],
] as const)(
  "a message asks the last question of something else: %s %s",
  ([prompt, text, count]) => {
    const { says } = readOn(CREW, prompt, text);
    expect(says).toHaveLength(count);
    expect(says.at(-1)).toBe("compute the average of Hours where Team is Galley");
  },
);

test("a message takes an e-mail back", () => {
  expect(readOn(CREW, MAIL, "Please don't send the mail after all").says).toHaveLength(1);
});

test("a message changes the subject", () => {
  expect(readOn(CREW, MAIL, 'Use the subject "Our crew" instead').says.at(-1)).toBe(
    'send an e-mail to ann@example.org with the subject "Our crew"',
  );
});

test("a message stops everything", () => {
  expect(readOn(CREW, MAIL, "Stop it, please").refused).toBe("stopped");
});

test("a message that is not understood is refused", () => {
  expect(readOn(CREW, SUM, "only the vegetarian ones").says).toEqual([]);
});

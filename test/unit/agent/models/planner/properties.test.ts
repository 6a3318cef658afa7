import fc from "fast-check";
import { expect, test } from "vitest";
import { plan } from "../../../../../src/agent/models/planner/planner.ts";
import { TOOL_NAMES } from "../../../../../src/contract/tools/names.ts";
import { sendEmailInput } from "../../../../../src/contract/tools/send-email.ts";
import { requestOf, run } from "./support/run.ts";

const WORDS = (
  "get the all of and or not sort by price name email emails links from http://shop.test/products " +
  "http://team.test/ http://api.test/users.json top 3 cheapest average sum how many which is over $20 " +
  "between 10 and 40 where country France follow each link then page pages as JSON table CSV , . ? ! : " +
  '\'quoted\' "text" (x) [a](http://a.test/) in stock per category only first last unique {"a":1} - ' +
  "e-mail mail send it them me ann@example.com bob@example.org with the subject Prices attach workbook " +
  "as Excel to prices.xlsx spreadsheet called one sheet per page append Google sheet clean data in code " +
  "remove duplicates trim numbers dates upper case run `return 1` screenshot of render everyone on list"
).split(" ");

const sentence = fc
  .array(fc.constantFrom(...WORDS), { maxLength: 25 })
  .map((words) => words.join(" "));

test("never throws, whatever the prompt", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 300 }),
        fc.string({ unit: "binary", maxLength: 200 }),
        sentence,
      ),
      (prompt) => {
        const reply = plan(requestOf([{ role: "user", text: prompt }]));
        expect(reply.calls.length).toBeGreaterThan(0);
      },
    ),
    { numRuns: 300 },
  );
});

test("always comes to an end with a summary, whatever words are put together", async () => {
  await fc.assert(
    fc.asyncProperty(sentence, async (prompt) => {
      const { finish, replies } = await run(prompt);
      expect(finish.summary.trim()).not.toBe("");
      expect(replies.length).toBeLessThan(30);
    }),
    { numRuns: 150 },
  );
});

test("writes only to addresses of the prompt, and to each once", async () => {
  await fc.assert(
    fc.asyncProperty(sentence, async (prompt) => {
      const { calls } = await run(`${prompt} http://team.test/`);
      const mails = calls.flatMap(({ tool, input }) =>
        tool === "send_email" ? [sendEmailInput.parse(input)] : [],
      );
      for (const { to, cc } of mails)
        for (const address of [...to, ...cc]) expect(prompt).toContain(address);
      const told = new Set(mails.map((mail) => JSON.stringify(mail)));
      expect(told.size).toBe(mails.length);
    }),
    { numRuns: 100 },
  );
});

test("calls only the tools that it is given", () => {
  fc.assert(
    fc.property(
      sentence,
      fc.subarray(TOOL_NAMES.filter((name) => name !== "ask_user" && name !== "finish")),
      (prompt, tools) => {
        const allowed = [...tools, "finish"];
        const reply = plan(requestOf([{ role: "user", text: prompt }], { tools: allowed }));
        for (const call of reply.calls) expect(allowed).toContain(call.tool);
      },
    ),
    { numRuns: 200 },
  );
});

test("reads a prompt of the greatest length in bounded time", () => {
  const texts = [
    "a ",
    "http://a.test/ ",
    "get the ",
    "' ",
    "{",
    "1, ",
    "is the ",
    "a\n",
    "sort by ",
    "mail it to a@b.co and ",
    "and ",
    "the subject ",
    "clean the data, ",
    "remove all the extra ",
  ];
  const started = performance.now();
  for (const text of texts) {
    const prompt = text.repeat(Math.floor(32_000 / text.length));
    plan(requestOf([{ role: "user", text: prompt }]));
  }
  expect(performance.now() - started).toBeLessThan(15_000);
});

test.each(["a\n", "open ", "price over 3 and ", "how many items are cheap? "])(
  "takes no more than a moment for pages of orders such as %j on an opened page",
  async (text) => {
    const prompt = `Show the products of http://shop.test/products. ${text.repeat(31_000 / text.length)}`;
    const started = performance.now();
    const { finish } = await run(prompt);
    expect(finish).toMatchObject({
      status: "failed",
      summary: expect.stringContaining("too long"),
    });
    expect(performance.now() - started).toBeLessThan(2_000);
  },
);

import { describe, expect, test } from "vitest";
import { type Run, run } from "./support/run.ts";

const SHOP = "http://shop.test/products";
const HOOK = "http://hooks.test/in";

const answered = (prompt: string, text: string): Promise<Run> =>
  run(prompt, { interactive: true, messages: [{ afterStep: 1, text }] });
const tools = ({ calls }: Run): string[] => calls.map(({ tool }) => tool);

describe("a question that the prompt wants to be asked", () => {
  test.each([
    ["Ask me for my favourite colour and then repeat it", "blue", "What is your favourite colour?"],
    ["Ask me for my favourite colour.", "blue", "What is your favourite colour?"],
    ["Ask me what my age is and tell me what I said", "42", "What is your age?"],
    ['Ask me "Which colour?" and then say it', "blue", "Which colour?"],
    ["Can you ask me for the city and then return it?", "Oslo", "What is the city?"],
  ])("is asked, and its answer given back: %s", async (prompt, answer, question) => {
    const done = await answered(prompt, answer);
    expect(done.calls[0]).toMatchObject({ tool: "ask_user", input: { question } });
    expect(done.finish).toMatchObject({ status: "completed", summary: answer });
  });

  test.each([
    ["Ask me which page to open, then count its rows", SHOP, 5],
    [`Ask me which product I want, then give me its price from ${SHOP}`, "Red Lamp", "$25.00"],
  ])("is worked with: %s", async (prompt, answer, data) => {
    expect((await answered(prompt, answer)).finish).toMatchObject({ status: "completed", data });
  });

  test("fills the text of a mail", async () => {
    const prompt = "Send an e-mail to bob@example.com. Ask me for the text first.";
    const done = await answered(prompt, "Hello Bob");
    expect(done.calls[1]).toMatchObject({ tool: "send_email", input: { text: "Hello Bob" } });
  });

  test("ends the execution where nobody can be asked", async () => {
    const done = await run("Ask me for my name, then say hello to me");
    expect(done.finish.summary).toMatch(/^Nothing was done: .*nobody can be asked/);
  });
});

const CONSENTS = [
  `Ask me for confirmation before you POST {"a":1} to ${HOOK}`,
  `POST {"a":1} to ${HOOK}, but ask me first`,
  `Get my approval first, then POST {"a":1} to ${HOOK}`,
  `Before you do anything, ask me whether to continue. Then POST {"a":1} to ${HOOK}`,
  `Check with me before posting {"a":1} to ${HOOK}`,
  `Before posting {"a":1} to ${HOOK}, ask me for my ok`,
  `Don't send anything until I confirm: POST {"a":1} to ${HOOK}`,
  `With my approval, POST {"a":1} to ${HOOK}`,
];

describe("a consent that the prompt asks for", () => {
  test.each(CONSENTS)("lets it happen: %s", async (prompt) => {
    const done = await answered(prompt, "Yes, go ahead.");
    expect(tools(done).slice(0, 2)).toEqual(["ask_user", "http_request"]);
    expect(done.finish.status).toBe("completed");
  });

  test.each(CONSENTS)("stops it when it is refused: %s", async (prompt) => {
    for (const answer of ["no", "wait, I have to think", "not yet", "yes, but only half"]) {
      const done = await answered(prompt, answer);
      expect(tools(done)).toEqual(["ask_user", "finish"]);
      expect(done.finish.summary).toBe("Nothing was done: you did not agree to it.");
    }
  });

  test.each(CONSENTS)("stops it when nobody can be asked: %s", async (prompt) => {
    const done = await run(prompt);
    expect(tools(done)).toEqual(["finish"]);
    expect(done.finish.status).toBe("failed");
  });
});

test.each([
  'Email bob@example.com saying "please ask me for details"',
  "Email bob@example.com: ask me whether to continue",
  "Never ask me whether to continue; list the headings of http://blog.test/",
  "If you need anything, ask me. List the headings of http://blog.test/",
])("asks nothing where the words order no question: %s", async (prompt) => {
  const done = await run(prompt, { interactive: true });
  expect(tools(done)).not.toContain("ask_user");
  expect(done.finish.status).toBe("completed");
});

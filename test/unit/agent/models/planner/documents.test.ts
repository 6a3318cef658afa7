import { describe, expect, test } from "vitest";
import { type Options, run } from "./support/run.ts";

const GOODS = "http://shop.test/products";
const HOME = "http://shop.test/";

async function filesOf(prompt: string, options: Options = {}): Promise<Record<string, string>> {
  const { files, finish } = await run(prompt, options);
  expect(finish.status).toBe("completed");
  return Object.fromEntries(
    files.map(({ filename, bytes }) => [filename, new TextDecoder().decode(bytes)]),
  );
}

const HEADINGS = ["Welcome to Test Shop", "Our goods", "Talk to us"];
const AS_JSON = `${JSON.stringify(HEADINGS, null, 2)}\n`;
const AS_TEXT = `${HEADINGS.join("\n")}\n`;

describe("what was found is written to the file of text that is asked for", () => {
  const CASES: [prompt: string, filename: string, text: string][] = [
    [`Save the headings of ${HOME} as headings.json`, "headings.json", AS_JSON],
    [`Write the headings of ${HOME} to headings.json`, "headings.json", AS_JSON],
    [`Write the headings of ${HOME} to a JSON file`, "headings.json", AS_JSON],
    [`Store the headings of ${HOME} in a JSON file named h.json.`, "h.json", AS_JSON],
    [`List the headings of ${HOME} and export them as tops.json`, "tops.json", AS_JSON],
    [`Save the headings from ${HOME} in headings.txt`, "headings.txt", AS_TEXT],
    [`Create a file with the headings of ${HOME}`, "headings.txt", AS_TEXT],
    [`Save the headings of ${HOME} into a text file called tops.txt`, "tops.txt", AS_TEXT],
    [
      `Write a Markdown file with the headings of ${HOME}`,
      "headings.md",
      `# Headings\n\n${HEADINGS.map((one) => `- ${one}`).join("\n")}\n`,
    ],
    [`Save the cheapest product of ${GOODS} to best.txt`, "best.txt", "Product: Blue Mug\n"],
    [`Write the number of products on ${GOODS} to count.txt`, "count.txt", "5\n"],
    [
      `Export the products of ${GOODS} over $80 as dear.md`,
      "dear.md",
      "| Green Chair | $89.90 | Home | Yes | 3.9 |",
    ],
    ["Save the page http://shop.test/contact as contact.md", "contact.md", "# Contact\n"],
    ["Save http://api.test/api/me to me.json", "me.json", '  "name": "Ada",\n'],
    ['Create a file hello.txt containing "Hello world"', "hello.txt", "Hello world\n"],
    ['Write "Hello world" to a text file', "text.txt", "Hello world\n"],
    ['Create a text file notes.txt with the text "Buy milk".', "notes.txt", "Buy milk\n"],
    ['Write {"a":1} to data.json', "data.json", '{\n  "a": 1\n}\n'],
  ];
  test.for(CASES)("%s", async ([prompt, filename, text]) => {
    const files = await filesOf(prompt);
    expect(Object.keys(files)).toEqual([filename]);
    expect(files[filename]).toContain(text);
  });
});

test("a file of text is handed over as a file, and nothing beside it", async () => {
  const { made } = await run(`Save the headings of ${HOME} as headings.json`);
  expect(made).toMatchObject([
    { type: "file", nodeType: "FILE", filename: "headings.json", mediaType: "application/json" },
  ]);
});

test("a mail carries the file of text, and no workbook beside it", async () => {
  const files = await filesOf(
    `Save the headings of ${HOME} as headings.json and email the file to bob@example.com`,
  );
  expect(Object.keys(files)).toEqual(["headings.json"]);
});

test("a text of the inputs is written as it is", async () => {
  const prompt = 'Create a file {{name}}.txt with the text "Hi {{name}}"';
  expect(await filesOf(prompt, { inputs: { name: "ann" } })).toEqual({ "ann.txt": "Hi ann\n" });
});

test.for([
  [`Save the headings of ${HOME} as headings.docx`, /no \.docx/],
  ['Write "Hello" to hello.html', /no \.html/],
  [`Save the lines of ${HOME} that mention Zorro to z.txt`, /No file was written, because nothing/],
] as const)("says plainly that no file comes of %j", async ([prompt, says]) => {
  const { finish, files } = await run(prompt);
  expect(finish.summary).toMatch(says);
  expect(files).toEqual([]);
});

test.for([
  `Find the link to report.json on ${HOME}`,
  `Does ${HOME} mention readme.md?`,
  `List the headings of ${HOME} about notes.txt`,
])(
  "a file that is only looked for is not written, and no words of the rules are told: %s",
  async (prompt) => {
    const { finish, files } = await run(prompt);
    expect(files).toEqual([]);
    expect(finish.summary).not.toMatch(/rows\.|url containing|\b(?:col|str|url)\d+_/);
  },
);

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { GRAMMAR } from "../../../../../src/agent/models/demo/program.ts";
import { outcomeOf, type PlayOptions, play } from "./play.ts";

const SHOP = "https://shop.test";
const PRODUCTS = `<h1>Shop</h1><h2>Prices</h2><table><caption>Products</caption>
<tr><th>Name</th><th>Kind</th><th>Price</th><th>In stock</th></tr>
<tr><td>Assam</td><td>Black</td><td>$4.50</td><td>12</td></tr>
<tr><td>Sencha</td><td>Green</td><td>$6.00</td><td>0</td></tr>
<tr><td>Keemun</td><td>Black</td><td>$9.50</td><td>3</td></tr></table>
<h2>Brewing</h2><ul><li>Boil water</li><li>Wait</li></ul>
<h2>Contact</h2><p>Write to tea@shop.test or see <a href="/about">About us</a>.</p>`;
const TABLES = `<table><caption>Open</caption><tr><th>Title</th><th>Votes</th></tr><tr><td>A</td><td>2</td></tr></table>
<table><caption>Done</caption><tr><th>Title</th><th>Votes</th></tr><tr><td>B</td><td>5</td></tr></table>`;
const site = {
  [SHOP]: PRODUCTS,
  [`${SHOP}/empty`]: "<p>None.</p>",
  [`${SHOP}/votes`]: TABLES,
  [`${SHOP}/list`]: `<table><tr><th>Name</th></tr><tr><td>One</td></tr></table><a href="/list2">Next</a>`,
  [`${SHOP}/list2`]: `<table><tr><th>Name</th></tr><tr><td>Two</td></tr></table>`,
};
const ORDERS = "customer,total\nAcme,120.50\nBirch,80\nAcme,9.5";

async function dataOf(prompt: string, options: PlayOptions = {}) {
  return outcomeOf(await play(prompt, { site, ...options }));
}

describe("an unknown name", () => {
  test.each([
    [
      `list colour from ${SHOP}`,
      'has no column "colour". Columns: "Name", "Kind", "Price", "In stock".',
    ],
    [`list name from ${SHOP} where size > 3`, 'has no column "size"'],
    [
      `list title from ${SHOP}/votes`,
      'has 2 tables that fit; name one. Its tables: "Open", "Done".',
    ],
    [`list title, place from ${SHOP}/votes`, 'has no column "place"'],
    [
      `list title from table Old of ${SHOP}/votes`,
      'has no table "Old". Its tables: "Open", "Done".',
    ],
    [`list name from ${SHOP}/empty`, `${SHOP}/empty has no table.`],
    [`list items under Recipes from ${SHOP}`, 'There is no heading "Recipes". Headings: "Shop"'],
    ["count rows from {{orders}}", "There is no input orders. Inputs: none."],
    ["sum price from the input", 'The data has no column "price". Columns: none.'],
    [`sum name from ${SHOP}`, "No value of Name is a number."],
    [
      `count rows from ${SHOP} per kind sorted by size`,
      'There is no column "size". Columns: "Kind", "count".',
    ],
  ])("ends %s with the existing names", async (prompt, message) => {
    const played = await play(`${prompt}\nsave as x.csv\nmail to a@b.example`, { site });
    expect(played).toMatchObject({ status: "failed", reason: "cannot_do", files: [] });
    expect(played.summary).toContain(message);
    expect(played.calls.map(({ tool }) => tool)).not.toContain("send_email");
  });

  test("says that a page could not be read", async () => {
    const played = await play("list links of https://shop.test/gone", { site });
    expect(played).toMatchObject({ status: "failed", reason: "source_unavailable" });
  });
});

describe("words that are not a command", () => {
  test.each([
    [
      `Which tea is the cheapest on ${SHOP}?`,
      'Line 1, character 1: "Which" is not a command.',
      "list [distinct]",
    ],
    [`please list name from ${SHOP}`, '"please" is not a command', "top N"],
    [`list name from ${SHOP} please`, `"${SHOP} please" is not a source`, "list [distinct]"],
    [`list the name of ${SHOP}`, `"the name of ${SHOP}" is not a column`, "list [distinct]"],
    [
      `count rows from ${SHOP}\nmial to a@b.example`,
      'Line 2, character 1: "mial" is not a command',
      "mail to",
    ],
    [
      `count rows from ${SHOP}\nmail to Ann`,
      'Line 2, character 1: "Ann" is not an e-mail address',
      "mail to",
    ],
    ["save as report.pdf", "a file's name with .xlsx, .csv or .json", "save as NAME"],
    ["sum total from the data", "there is no data below the commands", "sum COLUMN"],
    [`top name by price from ${SHOP}`, "a number is expected", "top N"],
    [`list name by price from ${SHOP}`, '"sorted by COLUMN"', "list [distinct]"],
    [`send POST ${SHOP} with {"a": }`, "valid JSON", "send GET"],
    ["", "There is no command.", "open URL"],
  ])("refuse %s before any effect", async (prompt, message, form) => {
    const played = await play(prompt, { site });
    expect(played).toMatchObject({ status: "failed", reason: "cannot_do" });
    expect(played.calls.map(({ tool }) => tool)).toEqual(["finish"]);
    expect(played.summary).toContain(message);
    expect(played.summary).toContain(form);
    expect(played.summary).toContain("connect a model");
  });

  test("are answered with the columns of the data", async () => {
    const { summary } = await play(`Sort the data by total:\n${ORDERS}`);
    expect(summary).toContain("The columns of the data are: customer, total.");
  });
});

describe("an action", () => {
  test("saves the result in each format, and e-mails the files", async () => {
    const played = await play(
      `list name, price from ${SHOP} where price > 5, save as teas.xlsx, save as teas.csv and save as teas.json\n` +
        'mail to ann@shop.test, bob@shop.test subject "Teas"',
      { site },
    );
    expect(played.status).toBe("completed");
    expect(played.files.map(({ filename }) => filename)).toEqual([
      "teas.xlsx",
      "teas.csv",
      "teas.json",
    ]);
    const [, csv] = played.files;
    expect(new TextDecoder().decode(csv?.bytes)).toBe("Name,Price\r\nSencha,$6.00\r\nKeemun,$9.50");
    const mail = played.calls.find(({ tool }) => tool === "send_email")?.input;
    expect(mail).toMatchObject({
      to: ["ann@shop.test", "bob@shop.test"],
      subject: "Teas",
      text: expect.stringContaining("Keemun"),
      attachments: ["c1", "c2", "c3"],
    });
    expect(played.summary).toContain("Sent an e-mail to ann@shop.test, bob@shop.test.");
  });

  test("sends JSON with input values, once", async () => {
    const played = await play(
      'send POST https://api.test/orders/{{id}} with {"id": "{{id}}", "text": "Order {{id}}"}',
      { inputs: { id: 7 } },
    );
    expect(played.sent).toEqual([
      { method: "POST", url: "https://api.test/orders/7", body: '{"id":7,"text":"Order 7"}' },
    ]);
    expect(outcomeOf(played)).toEqual({ id: 7 });
  });

  test("sends the result of the previous command", async () => {
    const prompt = "sum total from the data, then send POST https://api.test with the result";
    const { sent } = await play(`${prompt}\n\n${ORDERS}`);
    expect(sent).toMatchObject([{ body: "210" }]);
  });

  test("says that an answer is empty", async () => {
    const { summary } = await play("send DELETE https://api.test/1", { status: 204 });
    expect(summary).toMatch(/^Response: empty\.\n/);
  });

  test("ends with the status of the server's refusal", async () => {
    const played = await play("send DELETE https://api.test/1", { status: 409 });
    expect(played).toMatchObject({
      status: "failed",
      summary: "DELETE https://api.test/1 returned status 409.",
    });
  });

  test("is not carried out if a later command of the prompt is invalid", async () => {
    const played = await play(`send POST https://api.test\nlist colour from ${SHOP}`, { site });
    expect(played).toMatchObject({ status: "failed", sent: [] });
  });

  test("runs code on the inputs and on the result before it", async () => {
    const code = "return answers[0].rows.map(([total]) => ({ cents: total * 100 + input.add }));";
    const prompt = `list total from the data\nrun\n\`\`\`js\n${code}\n\`\`\`\nsum cents from the result`;
    const fenced = `${prompt}\n\`\`\`csv\n${ORDERS}\n\`\`\``;
    expect(await dataOf(fenced, { inputs: { add: 1 } })).toMatchObject({ "Sum cents": 21_003 });
  });

  test("asks a question, and uses the answer", async () => {
    const prompt = `ask "Which customer?"\nsum total from the data where customer is {{answer}}\n\n${ORDERS}`;
    expect(await dataOf(prompt, { answers: ["Acme"] })).toBe(130);
    expect(await dataOf(prompt)).toBe('`ask "Which customer?"` needs interactive: true.');
  });

  test("waits for an event, and uses it", async () => {
    const prompt =
      "wait until ep_1a2b receives an event whose build.state is green and build.number is above 3, for at most 2 hours, then say Build {{event.build.number}}";
    const played = await play(prompt, { event: { build: { state: "green", number: 4 } } });
    expect(played.calls[0]?.input).toEqual({
      endpointId: "ep_1a2b",
      when: {
        all: [
          { path: "build.state", equals: "green" },
          { path: "build.number", gt: 3 },
        ],
      },
      timeoutSeconds: 7_200,
    });
    expect(played.data).toBe("Build 4");
    expect(await dataOf(prompt)).toBe("The event did not arrive in time.");
    const rows =
      "wait until ep_1a2b receives an event whose id is 7, then list name from the event";
    expect(await dataOf(rows, { event: { id: 7, name: "Ada" } })).toEqual(["Ada"]);
  });
});

describe("the conversation", () => {
  test("continues with a message, without repeating anything", async () => {
    const played = await play(`send POST https://api.test, then list name from ${SHOP}`, {
      site,
      messages: [{ afterStep: 2, text: "count rows" }],
    });
    expect(played.sent).toHaveLength(1);
    expect(played.data).toMatchObject({ "Count rows": 3 });
    expect(played.plans.at(-1)).toEqual([
      "send POST https://api.test",
      `list name from ${SHOP}`,
      "count rows",
    ]);
  });

  test("opens a page once for all commands", async () => {
    const { calls } = await play(`count rows from ${SHOP}\nlist headings of ${SHOP}`, { site });
    expect(calls.filter(({ tool }) => tool === "browse")).toHaveLength(1);
  });

  test("reads inputs that are an address or a text", async () => {
    const inputs = { page: SHOP, csv: ORDERS };
    expect(await dataOf("open {{page}}", { inputs, site })).toContain("tea@shop.test");
    expect(await dataOf("sum total from input csv", { inputs })).toBe(210);
  });

  test("returns data that matches a schema, or fails", async () => {
    const row = {
      type: "object",
      properties: { customer: { type: "string" }, total: { type: "number" } },
    };
    const outputSchema = {
      type: "object",
      properties: { orders: { type: "array", items: row } },
      required: ["orders"],
    };
    const prompt = `list customer, total from the data\n\n${ORDERS}`;
    expect(await dataOf(prompt, { outputSchema })).toMatchObject({
      orders: [{ customer: "Acme", total: 120.5 }, {}, {}],
    });
    const total = {
      type: "object",
      properties: { sum: { type: "number" }, rows: { type: "integer" } },
      required: ["sum", "rows"],
    };
    const figures = `sum total from the data; count rows\n\n${ORDERS}`;
    expect(await dataOf(figures, { outputSchema: total })).toEqual({ sum: 210, rows: 3 });
    expect(await dataOf(prompt, { outputSchema: total })).toContain(
      "does not match the output schema: data: must be an object; got an array",
    );
    expect(await dataOf("say hi", { outputSchema: { type: "integer" } })).toContain(
      "does not match the output schema: data: must be an integer; got a string",
    );
  });

  test("notes a next page that was not read", async () => {
    const { summary } = await play(`list name from ${SHOP}/list`, { site });
    expect(summary).toContain(`The next page, ${SHOP}/list2, was not read.`);
  });

  test("outputs rows as tables, and a single value as the answer", async () => {
    const { outputs } = await play(`list name, kind from ${SHOP}; count rows`, { site });
    expect(outputs).toMatchObject([
      { label: "Name, kind", type: "table", value: { columns: ["Name", "Kind"] } },
      { label: "Count rows", type: "json", value: 3 },
    ]);
    expect((await play(`count rows from ${SHOP}`, { site })).outputs).toEqual([]);
  });
});

describe("docs/demo-model.md", () => {
  const document = readFileSync("docs/demo-model.md", "utf8");

  test("lists exactly the lines of the grammar", () => {
    const [commands, clauses, parts] = [...document.matchAll(/```\n([\s\S]*?)\n```\n/g)];
    const lines = [commands, clauses, parts].flatMap((block) => block?.[1]?.split("\n") ?? []);
    expect(lines).toEqual([...GRAMMAR]);
  });

  test("has working examples", async () => {
    const teas =
      "<table><tr><th>Name</th><th>Price</th></tr><tr><td>Assam</td><td>7</td></tr></table>";
    const options = { site: { "https://shop.example/teas": teas }, inputs: { id: "1" } };
    const [, examples = ""] = document.split("## Examples");
    const prompts = [...examples.matchAll(/```\n([\s\S]*?)\n```/g)].map(
      ([, prompt = ""]) => prompt,
    );
    expect(prompts).toHaveLength(3);
    for (const prompt of prompts) {
      expect(await play(prompt, options)).toMatchObject({ status: "completed" });
    }
  });
});

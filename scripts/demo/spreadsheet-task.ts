import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readXlsx } from "hucre/xlsx";
import type { ExecutionResult } from "../../src/contract/execution.ts";
import { type Output, valueIn } from "../../src/contract/outputs.ts";
import { emailOutput } from "../../src/contract/tools/write.ts";
import { UserError } from "../local/project.ts";
import { AgentApi, type DemoTask } from "./agent.ts";

const BUYER = "buyer@harbourlane.example";
const ROWS_SHOWN = 6;
const SUPPLIERS = ["assam", "fujian", "ellery"];

/** Merges the suppliers' lists: names in one case, prices as numbers, nothing blank, nothing twice. */
const CLEANING = `const amount = (text) => {
  const digits = text.replace(/[^0-9.,]/g, "");
  const plain = /,\\d\\d$/.test(digits) ? digits.replace(/\\./g, "").replace(",", ".") : digits.replace(/,/g, "");
  return digits === "" ? text : Number(plain);
};
const teas = new Map();
for (const [name, supplier, price, grams] of answers.flatMap(({ rows }) => rows)) {
  const tea = name.trim().replace(/\\s+/g, " ").toLowerCase();
  if (tea !== "") teas.set(supplier + tea, { tea, supplier, price: amount(price), grams });
}
return [...teas.values()];`;

/** An agent reads three price lists, cleans them in code, writes a workbook and mails it. */
export const spreadsheetTask: DemoTask = {
  shows: "three pages, cleaned in code, as a workbook and an e-mail",
  async run(service, site) {
    const pages = SUPPLIERS.map((supplier) => `List rows from ${site}/suppliers/${supplier}`);
    const prompt = [
      ...pages,
      "Run",
      `\`\`\`js\n${CLEANING}\n\`\`\``,
      "List rows from the result sorted by tea",
      "Save as prices.xlsx",
      `Mail to ${BUYER} subject "Supplier prices"`,
    ].join("\n");
    const api = new AgentApi(service);
    const executionId = await api.run({ prompt });
    const result = await api.result(executionId);
    if (result.status !== "completed") {
      throw new UserError(`The execution failed: ${result.presentedResult.summary}`);
    }
    console.log(`\nResult of ${result.model}:\n\n${result.presentedResult.summary}\n`);
    const workbook = outputOf(result, "SPREADSHEET");
    const bytes = await api.file(executionId, workbook.outputId);
    await showWorkbook(
      workbook.type === "file" ? (workbook.filename ?? "prices.xlsx") : "prices.xlsx",
      bytes,
    );
    showMail(outputOf(result, "EMAIL"));
    for (const { tool, target, state } of result.effects) {
      console.log(`Effect: ${tool}, ${target}: ${state}`);
    }
    console.log(`\n${result.outputs.length} outputs, ${result.creditsConsumed} credits.`);
  },
};

function outputOf({ outputs }: ExecutionResult, nodeType: Output["nodeType"]): Output {
  const found = outputs.find((output) => output.nodeType === nodeType);
  if (found === undefined) throw new UserError(`The execution has no output of type ${nodeType}.`);
  return found;
}

/** Stores the workbook in a temporary folder, and prints its first rows as a reader sees them. */
async function showWorkbook(filename: string, bytes: Uint8Array): Promise<void> {
  const path = join(await mkdtemp(join(tmpdir(), "prompthook-workbook-")), filename);
  await writeFile(path, bytes);
  console.log(`Workbook downloaded to ${path}\n`);
  const { sheets } = await readXlsx(bytes);
  for (const { name, rows } of sheets) {
    console.log(`  Sheet "${name}", ${rows.length - 1} rows:`);
    for (const row of rows.slice(0, ROWS_SHOWN)) {
      console.log(
        `    ${row
          .map((cell) => cellText(cell).padEnd(18))
          .join("")
          .trimEnd()}`,
      );
    }
    if (rows.length > ROWS_SHOWN) console.log("    ...");
  }
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  return cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell);
}

function showMail(mail: Output): void {
  const { from, to, subject, text, attachments, route } = emailOutput.parse(valueIn(mail));
  const files = attachments.map(({ filename, sizeBytes }) => `${filename} (${sizeBytes} bytes)`);
  const head = [
    `From: ${from}`,
    `To: ${to.join(", ")}`,
    `Subject: ${subject}`,
    `Attached: ${files.join(", ") || "nothing"}`,
  ];
  console.log(`\nThe e-mail, by the route "${route}":\n`);
  console.log([...head, "", ...text.split("\n")].map((line) => `  ${line}`.trimEnd()).join("\n"));
  console.log("");
}

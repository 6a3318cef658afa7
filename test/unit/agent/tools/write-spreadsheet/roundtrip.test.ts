import fc from "fast-check";
import { expect, it } from "vitest";
import { writeSpreadsheet } from "../../../../../src/agent/tools/write-spreadsheet.ts";
import type { Json } from "../../../../../src/contract/json.ts";
import { writeSpreadsheetInput } from "../../../../../src/contract/tools/write.ts";
import { type ReadCell, readWorkbook } from "../../../../support/workbook.ts";
import { toolContext } from "../support.ts";

/** Also halves of surrogate pairs, controls, and what a reader could take for something else. */
const units = fc
  .array(fc.integer({ min: 0, max: 0xffff }))
  .map((codes) => String.fromCharCode(...codes));
const tricky = fc.constantFrom(
  "_x0041_",
  "#N/A",
  "=1+1",
  "&amp;",
  "\r",
  "\n",
  "__proto__",
  "😀",
  "007",
);
const figures = fc.stringMatching(/^-?[$€]?\d{0,6}([., ]\d{1,3}){0,2}( ?[%€]| USD)?$/);
const texts = fc.oneof(
  fc.string({ unit: "binary" }),
  units,
  figures,
  fc.tuple(tricky, tricky).map(([first, second]) => first + second),
  tricky,
);
const cells = fc.oneof(fc.jsonValue(), texts, fc.double({ noNaN: true }), fc.maxSafeInteger());
const tables = fc
  .integer({ min: 1, max: 4 })
  .chain((width) =>
    fc.array(fc.array(cells, { minLength: width, maxLength: width }), { maxLength: 6 }),
  );

/** Writes values and reads them back. */
async function back(rows: readonly unknown[][]): Promise<(ReadCell | null)[][]> {
  const columns = (rows[0] ?? [null]).map((_, index) => ({ name: `c${index}` }));
  const input = writeSpreadsheetInput.parse({
    format: "xlsx",
    filename: "a",
    sheets: [{ name: "A", columns, rows }],
  });
  const { outputs, answer } = await writeSpreadsheet(null).run(input, toolContext({}));
  const bytes = outputs?.[0]?.bytes;
  if (bytes === undefined) throw new Error(JSON.stringify(answer));
  const [sheet] = await readWorkbook(bytes);
  return rows.map((row, index) => row.map((_, column) => sheet?.rows[index + 1]?.[column] ?? null));
}

/** The text that a cell of XML can hold of this one. */
function kept(text: string): string {
  return [...text.replace(/\r\n?/g, "\n")]
    .filter((character) => {
      const code = character.codePointAt(0) ?? 0;
      const isControl = code < 0x20 && character !== "\t" && character !== "\n";
      const isSurrogate = code >= 0xd800 && code <= 0xdfff;
      return !isControl && !isSurrogate && code !== 0xfffe && code !== 0xffff;
    })
    .join("");
}

const digitsOf = (text: string) => text.replace(/\D/g, "");

/** A number that stands for a text shows the digits of the text, with the zero that ".5" leaves out. */
function shows({ value, format = "" }: ReadCell, text: string): boolean {
  const decimals = /\.(0+)/.exec(format)?.[1]?.length ?? 0;
  const number = Number(value) * (format.endsWith("%") ? 100 : 1);
  const shown = format === "" ? String(value) : number.toFixed(decimals);
  const written = text.replace(/(?<!\d)\.(?=\d)/, "0.");
  return digitsOf(shown) === digitsOf(written) && shown.startsWith("-") === /[-−]/.test(text);
}

function isSame(value: Json, cell: ReadCell | null): boolean {
  if (value === null || value === "") return cell === null;
  if (typeof value === "object") return cell?.value === kept(JSON.stringify(value));
  if (typeof value === "boolean") return cell?.value === value;
  if (typeof value === "number") return cell?.value === value + 0 || cell?.value === String(value);
  if (typeof cell?.value === "number") return shows(cell, value);
  return (cell?.value ?? "") === kept(value);
}

it("keeps the texts and the numbers of any table", async () => {
  await fc.assert(
    fc.asyncProperty(tables, async (rows) => {
      const read = await back(rows);
      const pairs = rows.flatMap((row, index) =>
        row.map((value, column) => [value as Json, read[index]?.[column] ?? null] as const),
      );
      expect(pairs.filter(([value, cell]) => !isSame(value, cell))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

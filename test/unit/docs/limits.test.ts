import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const [text = "", table = ""] = readFileSync("docs/limits.md", "utf8").split(
  "## Where the numbers are",
);
/** The prose, and the tables' cells as if they were prose. */
const prose = text.replace(/[\s|]+/g, " ");
const rows = [...table.matchAll(/^\| (.+?) +\| `(\w+)` +\| `(src\/.+?)` +\|$/gm)].map(
  ([, said = "", name = "", file = ""]) => ({ said, name, file }),
);

const UNITS: Record<string, number> = {
  KiB: 1_024,
  MiB: 1_048_576,
  GiB: 1_073_741_824,
  MB: 1_000_000,
  GB: 1_000_000_000,
};
const MILLISECONDS: Record<string, number> = { ms: 1, s: 1_000, min: 60_000 };

/** Returns the number that a phrase names, in the unit of the constant. */
function numberIn(said: string, name: string): number {
  const [, digits = "", unit = ""] = /(\d[\d,.]*\d|\d)(?: (\w+))?/.exec(said) ?? [];
  const scales = /ms$/i.test(name) ? MILLISECONDS : UNITS;
  return Number(digits.replaceAll(",", "")) * (scales[unit] ?? 1);
}

/** Returns the value of a constant or a field, which is a product of numbers and constants. */
function productOf(source: string, name: string): number {
  const factor = "(?:\\d[\\d_.]*|[A-Z]\\w*)";
  const found = new RegExp(`\\b${name}(?: = |: )(${factor}(?: \\* ${factor})*)[;, ]`).exec(source);
  const [, product = ""] = found ?? [];
  if (product === "") throw new Error(`There is no constant ${name}.`);
  return product
    .split(" * ")
    .map((part) => (/^\d/.test(part) ? Number(part.replaceAll("_", "")) : productOf(source, part)))
    .reduce((all, part) => all * part, 1);
}

it.each(rows)("the limit $said is $name in $file", ({ said, name, file }) => {
  expect(prose).toContain(said);
  expect(productOf(readFileSync(file, "utf8"), name)).toBe(numberIn(said, name));
});

it("finds every row of the table", () => {
  expect(rows).toHaveLength(table.match(/`src\//g)?.length ?? 0);
});

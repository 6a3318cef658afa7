/** Reads the rows of earlier `process_data` answers as objects. */
const READ = `const columns = [...new Set(answers.flatMap((answer) => answer.columns))];
let rows = answers.flatMap((answer) =>
  answer.rows.map((row) =>
    Object.fromEntries(columns.map((name) => [name, row[answer.columns.indexOf(name)] ?? null])),
  ),
);
const counts = { cells: 0, empty: 0, duplicate: 0 };
const read = rows.length;
const eachCell = (change) => {
  rows = rows.map((row) =>
    Object.fromEntries(
      columns.map((name) => {
        const cell = change(row[name]);
        if (cell !== row[name]) counts.cells += 1;
        return [name, cell];
      }),
    ),
  );
};
const without = (kind, isKept) => {
  const before = rows.length;
  rows = rows.filter(isKept);
  counts[kind] += before - rows.length;
};`;

const REPORT = `// What was done, in a sentence.
const said = (count, noun) => (count === 1 ? "1 " + noun : count + " " + noun + "s");
const done = [
  ...(counts.duplicate ? ["removed " + said(counts.duplicate, "duplicate row")] : []),
  ...(counts.empty ? ["removed " + said(counts.empty, "empty row")] : []),
  ...(counts.cells ? ["changed " + said(counts.cells, "cell")] : []),
];
console.log("Cleaned " + said(read, "row") + " in code: " + (done.join(", ") || "nothing to change") + ".");`;

const TRIM = `// Stray spaces: around texts, doubled, invisible ones.
eachCell((cell) => {
  if (typeof cell !== "string") return cell;
  return cell.normalize("NFKC").replace(/[\\u200b-\\u200d\\ufeff]/g, "").replace(/\\s+/g, " ").trim() || null;
});`;

const DROP_EMPTY = `// Rows without any value.
without("empty", (row) => columns.some((name) => row[name] !== null && row[name] !== ""));`;

/** Amounts keep their currency; numbers of one column without any become numbers. */
const NUMBERS = `// Amounts and dates in one notation each.
const SYMBOLS = { EUR: "€", USD: "$", GBP: "£" };
const amountOf = (text) => {
  const parts = /^([€$£]|EUR|USD|GBP)?\\s?(-?[\\d.,]*\\d)\\s?([€$£]|EUR|USD|GBP)?$/.exec(text);
  if (!parts || (!parts[1] && !parts[3])) return null;
  const isContinental = /,\\d{1,2}$/.test(parts[2]);
  const digits = isContinental ? parts[2].replaceAll(".", "").replace(",", ".") : parts[2].replaceAll(",", "");
  const mark = parts[1] ?? parts[3];
  return Number.isFinite(Number(digits)) ? (SYMBOLS[mark] ?? mark) + Number(digits).toFixed(2) : null;
};
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const dateOf = (text) => {
  const pad = (number) => String(number).padStart(2, "0");
  const dotted = /^(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})$/.exec(text);
  if (dotted) return dotted[3] + "-" + pad(dotted[2]) + "-" + pad(dotted[1]);
  const slashed = /^(\\d{4})\\/(\\d{2})\\/(\\d{2})$/.exec(text);
  if (slashed) return slashed.slice(1).join("-");
  const named = /^(?:(\\d{1,2}) ([A-Za-z]{3,9})|([A-Za-z]{3,9}) (\\d{1,2})),? (\\d{4})$/.exec(text);
  const month = named ? MONTHS.indexOf((named[2] ?? named[3]).slice(0, 3).toLowerCase()) : -1;
  return month < 0 ? null : named[5] + "-" + pad(month + 1) + "-" + pad(named[1] ?? named[4]);
};
eachCell((cell) => (typeof cell === "string" ? (amountOf(cell) ?? dateOf(cell) ?? cell) : cell));`;

const DEDUPE = `// Rows that say the same, ignoring case.
const seen = new Set();
without("duplicate", (row) => {
  const key = JSON.stringify(Object.values(row)).toLowerCase();
  return !seen.has(key) && seen.add(key);
});`;

/** The JavaScript that cleans the rows of earlier `process_data` answers. */
export const CLEANING_PROGRAM = [
  READ,
  TRIM,
  NUMBERS,
  DROP_EMPTY,
  DEDUPE,
  REPORT,
  "return { columns, rows: rows.map((row) => columns.map((name) => row[name])) };",
].join("\n\n");

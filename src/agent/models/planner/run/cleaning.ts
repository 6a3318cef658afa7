/**
 * The JavaScript that cleans the rows of earlier `process_data` answers: stray spaces go, amounts and
 * dates get one notation each, and empty rows and rows that repeat another, ignoring case, are left out.
 * Amounts keep their currency.
 */
export const CLEANING_PROGRAM = String.raw`const columns = [...new Set(answers.flatMap((answer) => answer.columns))];
const read = answers.flatMap((answer) =>
  answer.rows.map((row) => columns.map((name) => row[answer.columns.indexOf(name)] ?? null)),
);

const trimmed = (text) =>
  text.normalize("NFKC").replace(/[\u200b-\u200d\ufeff]/g, "").replace(/\s+/g, " ").trim() || null;

const SYMBOLS = { EUR: "€", USD: "$", GBP: "£" };
const amountOf = (text) => {
  const [, before, number, after] = /^([€$£]|EUR|USD|GBP)?\s?(-?[\d.,]*\d)\s?([€$£]|EUR|USD|GBP)?$/.exec(text) ?? [];
  const mark = before ?? after;
  if (!mark) return null;
  const isContinental = /,\d{1,2}$/.test(number);
  const value = Number(isContinental ? number.replaceAll(".", "").replace(",", ".") : number.replaceAll(",", ""));
  return Number.isFinite(value) ? (SYMBOLS[mark] ?? mark) + value.toFixed(2) : null;
};

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const dateOf = (text) => {
  const [, slashed] = /^(\d{4}\/\d{2}\/\d{2})$/.exec(text) ?? [];
  if (slashed) return slashed.replaceAll("/", "-");
  const found =
    /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/.exec(text) ??
    /^(?<day>\d{1,2}) (?<name>[A-Za-z]{3,9}),? (?<year>\d{4})$/.exec(text) ??
    /^(?<name>[A-Za-z]{3,9}) (?<day>\d{1,2}),? (?<year>\d{4})$/.exec(text);
  const { day, month, name = "", year } = found?.groups ?? {};
  const number = month ?? MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  return Number(number) > 0 ? [year, String(number).padStart(2, "0"), day.padStart(2, "0")].join("-") : null;
};

let changed = 0;
const cleaned = read.map((row) =>
  row.map((cell) => {
    if (typeof cell !== "string") return cell;
    const text = trimmed(cell);
    const clean = text && (amountOf(text) ?? dateOf(text) ?? text);
    if (clean !== cell) changed += 1;
    return clean;
  }),
);
const filled = cleaned.filter((row) => row.some((cell) => cell !== null));
const seen = new Set();
const rows = filled.filter((row) => {
  const key = JSON.stringify(row).toLowerCase();
  return !seen.has(key) && seen.add(key);
});

const said = (count, noun) => (count === 1 ? "1 " + noun : count + " " + noun + "s");
const done = [
  ["removed", filled.length - rows.length, "duplicate row"],
  ["removed", cleaned.length - filled.length, "empty row"],
  ["changed", changed, "cell"],
].flatMap(([verb, count, noun]) => (count > 0 ? verb + " " + said(count, noun) : []));
console.log("Cleaned " + said(read.length, "row") + " in code: " + (done.join(", ") || "nothing to change") + ".");
return { columns, rows };`;

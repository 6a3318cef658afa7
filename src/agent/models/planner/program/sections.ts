/**
 * The sections of the cleaning program: JavaScript that reads `answers` and leaves `columns`, `rows`
 * and `report`. Each works by itself and is readable by the person who finds it in the log.
 */

export const READ = `// The rows of all sources, one after another.
const report = { rowsRead: 0, cellsTrimmed: 0, emptyRows: 0, duplicates: 0, numbers: 0, dates: 0, letters: 0, unread: [] };
const tables = answers.filter((answer) => answer && Array.isArray(answer.rows));
const columns = [...new Set(tables.flatMap((table) => table.columns))];
let rows = tables.flatMap((table) =>
  table.rows.map((row) => columns.map((name) => row[table.columns.indexOf(name)] ?? null)),
);
report.rowsRead = rows.length;`;

export const TEXTS = `const textOf = (cell) => (cell === null || cell === undefined ? "" : typeof cell === "object" ? JSON.stringify(cell) : String(cell));
const plain = (text) => text.normalize("NFKC").replace(/[\\u200B-\\u200D\\uFEFF]/g, "").replace(/\\s+/g, " ").trim();
const MISSING = /^(?:|-+|–|—|n\\/?a|none|null|unknown|tba|tbd|\\?+)$/i;
const filled = (at) => rows.map((row) => plain(textOf(row[at]))).filter((text) => !MISSING.test(text));`;

export const WHITESPACE = `// Stray spaces: around texts, doubled, invisible ones.
rows = rows.map((row) =>
  row.map((cell) => {
    if (typeof cell !== "string") return cell;
    const text = plain(cell);
    if (text !== cell) report.cellsTrimmed += 1;
    return text === "" ? null : text;
  }),
);`;

export const EMPTY_ROWS = `// Rows without any value.
rows = rows.filter((row) => {
  const empty = row.every((cell) => plain(textOf(cell)) === "");
  if (empty) report.emptyRows += 1;
  return !empty;
});`;

export const AMOUNTS = `// How amounts are written: the mark of a currency before or after, a comma or a dot for the decimals.
const CURRENCIES = {
  "$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW", "₺": "TRY", "zł": "PLN",
  "A$": "AUD", "C$": "CAD", "NZ$": "NZD", "HK$": "HKD", "R$": "BRL", "euro": "EUR", "euros": "EUR",
  "dollar": "USD", "dollars": "USD", "pound": "GBP", "pounds": "GBP", "fr.": "CHF",
};
const CODES = new Set(["USD", "EUR", "GBP", "JPY", "CHF", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "INR", "CNY", "HKD", "BRL", "TRY", "KRW"]);
const currencyOf = (mark) =>
  CODES.has(mark.toUpperCase()) ? mark.toUpperCase() : (CURRENCIES[mark] ?? CURRENCIES[mark.toLowerCase()] ?? null);
const DOT_GROUPS = new Set(["EUR", "DKK", "NOK", "PLN", "TRY", "BRL"]);
const digitsOf = (body, currency) => {
  const text = body.replace(/(?<=\\d)[ '\\u2019](?=\\d{3}(?:\\D|$))/g, "");
  if (/^\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?$/.test(text)) return text.replaceAll(",", "");
  if (/^\\d{1,3}(?:\\.\\d{3})+,\\d+$/.test(text) || /^\\d{1,3}(?:\\.\\d{3}){2,}$/.test(text)) return text.replaceAll(".", "").replace(",", ".");
  if (/^[1-9]\\d{0,2}\\.\\d{3}$/.test(text) && DOT_GROUPS.has(currency)) return text.replace(".", "");
  if (/^\\d*\\.?\\d+$/.test(text)) return text;
  return /^\\d+,\\d+$/.test(text) ? text.replace(",", ".") : null;
};
const amountOf = (cell) => {
  if (typeof cell === "number") return { value: cell, currency: null };
  const text = plain(textOf(cell)).replace(/[\\u2212\\u2012\\u2013]/g, "-");
  const parts = /^(\\()?\\s*(-)?\\s*([^\\d\\s().,+-]{1,6}\\.?)?\\s*(-)?\\s*([\\d.,' \\u2019]*\\d)(?:[.,]-+)?\\s*([^\\d\\s().,+-]{1,7}\\.?)?\\s*(\\))?$/.exec(text);
  if (parts === null || Boolean(parts[1]) !== Boolean(parts[7])) return null;
  const marks = [parts[3], parts[6]].filter(Boolean);
  const currencies = marks.map(currencyOf);
  if (currencies.includes(null) || currencies.length > 1) return null;
  const digits = digitsOf(parts[5], currencies[0]);
  if (digits === null || digits.replace(/\\D/g, "").length > 15) return null;
  const sign = parts[1] || parts[2] || parts[4] ? -1 : 1;
  return { value: sign * Number(digits), currency: currencies[0] ?? null };
};`;

export const NUMBERS = `// Columns of amounts become numbers; their currency, where one is written, gets a column beside them.
const NAMES_ONLY = /\\b(?:phone|tel|fax|zip|postal|postcode|sku|ean|isbn|id|code|ref|reference|no)\\b/i;
for (const name of [...columns]) {
  const at = columns.indexOf(name);
  const texts = filled(at);
  const amounts = texts.map(amountOf);
  const readable = amounts.filter((amount) => amount !== null);
  const coded = NAMES_ONLY.test(name) || texts.some((text) => /^0\\d/.test(text));
  if (coded || readable.length === 0 || readable.length * 2 < texts.length) continue;
  const marked = readable.some((amount) => amount.currency !== null);
  const taken = columns.includes("Currency") || columns.includes("currency");
  const currencies = rows.map((row) => amountOf(row[at])?.currency ?? null);
  rows = rows.map((row) => {
    const cell = row[at];
    const amount = amountOf(cell);
    if (amount === null) {
      if (MISSING.test(plain(textOf(cell)))) return row.with(at, null);
      report.unread.push(name + ": " + plain(textOf(cell)).slice(0, 60));
      return row;
    }
    if (typeof cell !== "number") report.numbers += 1;
    return row.with(at, amount.value);
  });
  if (marked) {
    columns.splice(at + 1, 0, taken ? name + " currency" : "Currency");
    rows = rows.map((row, index) => row.toSpliced(at + 1, 0, currencies[index]));
  }
}`;

export const DAYS = `// How dates are written; null where it is not certain which number is the month.
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const isoOf = (year, month, day) => {
  const date = new Date(Date.UTC(year, month - 1, day));
  const real = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return real ? date.toISOString().slice(0, 10) : null;
};
const dateOf = (text, dayFirst) => {
  const iso = /^(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})$/.exec(text);
  if (iso) return isoOf(+iso[1], +iso[2], +iso[3]);
  const dotted = /^(\\d{1,2})\\.\\s?(\\d{1,2})\\.\\s?(\\d{4})$/.exec(text);
  if (dotted) return isoOf(+dotted[3], +dotted[2], +dotted[1]);
  const named = /^(?:[a-z]{3,9},? )?(?:(\\d{1,2})(?:st|nd|rd|th)?[ -]([a-z]{3,9})\\.?|([a-z]{3,9})\\.? (\\d{1,2})(?:st|nd|rd|th)?),?[ -](\\d{4})$/i.exec(text);
  if (named) {
    const month = MONTHS.indexOf((named[2] ?? named[3]).slice(0, 3).toLowerCase()) + 1;
    return month === 0 ? null : isoOf(+named[5], month, +(named[1] ?? named[4]));
  }
  const slashed = /^(\\d{1,2})[/-](\\d{1,2})[/-](\\d{4})$/.exec(text);
  if (!slashed || dayFirst === null) return null;
  return dayFirst ? isoOf(+slashed[3], +slashed[2], +slashed[1]) : isoOf(+slashed[3], +slashed[1], +slashed[2]);
};`;

export const DATES = `// Columns of dates become yyyy-mm-dd.
for (const [at, name] of columns.entries()) {
  const texts = filled(at);
  const pairs = texts.map((text) => /^(\\d{1,2})[/-](\\d{1,2})[/-]\\d{4}$/.exec(text)).filter(Boolean);
  const days = pairs.some((pair) => +pair[1] > 12);
  const months = pairs.some((pair) => +pair[2] > 12);
  const dayFirst = days === months ? null : days;
  const readable = texts.filter((text) => dateOf(text, dayFirst) !== null);
  if (texts.length === 0 || readable.length * 2 < texts.length) {
    if (pairs.length * 2 > texts.length) report.unread.push(name + ": " + texts[0] + " (day or month first?)");
    continue;
  }
  rows = rows.map((row) => {
    const text = plain(textOf(row[at]));
    const date = dateOf(text, dayFirst);
    if (date === null) {
      if (MISSING.test(text)) return row.with(at, null);
      report.unread.push(name + ": " + text.slice(0, 60));
      return row;
    }
    if (date !== row[at]) report.dates += 1;
    return row.with(at, date);
  });
}`;

export const LETTERS = `// The letters of one column, as asked.
const letters = LETTER_CASE;
const stem = (text) => text.toLowerCase().replace(/[^a-z0-9]/g, "").replace(/s$/, "");
const named = columns.findIndex((column) => stem(column) === stem(letters.column));
const textual = columns.findIndex((_column, at) => filled(at).some((text) => /\\p{L}{2}/u.test(text)));
const place = named >= 0 ? named : textual;
const cased = (text) =>
  letters.to === "lower" ? text.toLowerCase()
  : letters.to === "upper" ? text.toUpperCase()
  : text.toLowerCase().replace(/(?<![\\p{L}\\p{N}'’])\\p{L}/gu, (letter) => letter.toUpperCase());
if (place >= 0) {
  rows = rows.map((row) => {
    if (typeof row[place] !== "string") return row;
    const text = cased(row[place]);
    if (text !== row[place]) report.letters += 1;
    return row.with(place, text);
  });
}`;

export const DUPLICATES = `// Rows that say the same as one before them, whatever their spaces and capitals, and however they
// write an amount or a date.
const meaning = (cell) => {
  const text = plain(textOf(cell)).toLowerCase();
  const date = dateOf(text, null);
  if (date !== null) return date;
  if (/^0\\d/.test(text)) return text;
  const amount = amountOf(cell);
  return amount === null ? text : [amount.value, amount.currency];
};
const seen = new Set();
rows = rows.filter((row) => {
  const key = JSON.stringify(row.map(meaning));
  if (seen.has(key)) {
    report.duplicates += 1;
    return false;
  }
  seen.add(key);
  return true;
});`;

export const RETURN = `report.unread = report.unread.slice(0, 20);
console.log(JSON.stringify(report));
return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));`;

const MONTHS =
  "january february march april may june july august september october november december";

/** Longer text is prose, not a date. */
const MAX_LENGTH = 48;

const DAY = "(?<day>\\d{1,2})(?:st|nd|rd|th)?";
const MONTH = "(?<month>[a-z]{3,9})\\.?";
const YEAR = "(?<year>\\d{4})";
const TIME =
  "(?:[T ](?<time>\\d{2}:\\d{2}(?::\\d{2})?)(?:\\.\\d{1,9})?(?<zone>Z|[+-]\\d{2}:?\\d{2})?)?";

/** Only forms of one reading: 03/04/2024 is ambiguous, but with dots the day comes first everywhere. */
const FORMS = [
  `${YEAR}-(?<month>\\d{2})(?:-(?<day>\\d{2})${TIME})?`,
  `${DAY}[ -]${MONTH},?[ -]${YEAR}`,
  `${MONTH} ${DAY},? ${YEAR}`,
  `${MONTH} ${YEAR}`,
  `(?<day>\\d{1,2})\\.(?<month>\\d{1,2})\\.${YEAR}`,
].map((form) => new RegExp(`^${form}$`, "i"));

/** Whether a word is an English month or its abbreviation ("Mar", "Sept."). */
export function isMonth(word: string): boolean {
  return monthNumber(word) !== null;
}

/**
 * Parses a date in an unambiguous form: ISO 8601 with or without a time, in UTC unless it has an offset;
 * or the day alone as `12 March 2024`, `Mar 12, 2024`, `March 2024` or `31.12.2024`. Returns milliseconds
 * since the epoch, or null.
 */
export function parseDate(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LENGTH) return null;
  for (const form of FORMS) {
    const parts = form.exec(trimmed)?.groups;
    if (parts) return epochOf(parts);
  }
  return null;
}

function epochOf({ year, month, day, time, zone }: Record<string, string | undefined>) {
  const number = monthNumber(month ?? "");
  if (number === null) return null;
  const date = `${year}-${String(number).padStart(2, "0")}-${(day ?? "1").padStart(2, "0")}`;
  const midnight = Date.parse(`${date}T00:00Z`);
  // A day that the month does not have would be read as one of the next month.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date)) return null;
  const offset = (zone ?? "Z").toUpperCase().replace(/(\d{2}):?(\d{2})$/, "$1:$2");
  const at = time === undefined ? midnight : Date.parse(`${date}T${time}${offset}`);
  return Number.isNaN(at) ? null : at;
}

function monthNumber(word: string): number | null {
  if (/^\d{1,2}$/.test(word)) return Number(word);
  const name = word.toLowerCase().replace(/\.$/, "");
  if (name === "sept") return 9;
  const index = MONTHS.split(" ").findIndex(
    (month) => name === month || name === month.slice(0, 3),
  );
  return index < 0 ? null : index + 1;
}

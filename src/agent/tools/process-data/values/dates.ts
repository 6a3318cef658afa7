const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

/** Longer text is prose, not a date. */
const MAX_LENGTH = 48;

const ZONE = "(?<zone>Z|UTC|GMT|[+-]\\d{2}:?\\d{2})?";
const TIME = `(?:(?:T|,? (?:at )?)(?<hour>\\d{1,2}):(?<minute>\\d{2})(?::(?<second>\\d{2})(?:\\.\\d{1,9})?)? ?${ZONE})?`;
const WEEKDAY = "(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? )?";
const MONTH = "(?<month>[a-z]{3,9})\\.?";
const DAY = "(?<day>\\d{1,2})(?:st|nd|rd|th)?";
const YEAR = "(?<year>\\d{4})";

/** Only forms of one reading: 03/04/2024 is ambiguous, but with dots the day comes first everywhere. */
const FORMS = [
  `${YEAR}-(?<month>\\d{2})(?:-(?<day>\\d{2})${TIME})?`,
  `${YEAR}/(?<month>\\d{2})/(?<day>\\d{2})${TIME}`,
  `${WEEKDAY}${DAY}[ -]${MONTH},?[ -]${YEAR}${TIME}`,
  `${WEEKDAY}${MONTH} ${DAY},? ${YEAR}${TIME}`,
  `${MONTH} ${YEAR}`,
  `(?<day>\\d{1,2})\\.(?<month>\\d{1,2})\\.${YEAR}${TIME}`,
].map((form) => new RegExp(`^${form}$`, "i"));

/** Whether a word is an English month or its abbreviation ("Mar", "Sept."). */
export function isMonth(word: string): boolean {
  return monthNumber(word) !== null;
}

/**
 * Parses a date in an unambiguous form: ISO 8601, `12 March 2024`, `Mar 12, 2024`, `March 2024`,
 * `31.12.2024`, with or without a time; UTC unless it has an offset. Returns milliseconds since the epoch, or null.
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

function epochOf(parts: Record<string, string | undefined>): number | null {
  const month = monthNumber(parts.month ?? "");
  if (month === null) return null;
  const year = Number(parts.year);
  const day = Number(parts.day ?? 1);
  const hour = Number(parts.hour ?? 0);
  const minute = Number(parts.minute ?? 0);
  const second = Number(parts.second ?? 0);
  if (hour > 23 || minute > 59 || second > 59) return null;

  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  date.setUTCHours(hour, minute, second);
  return date.getTime() - offsetMs(parts.zone ?? "");
}

function monthNumber(word: string): number | null {
  if (/^\d{1,2}$/.test(word)) return Number(word);
  const name = word.toLowerCase().replace(/\.$/, "");
  if (name === "sept") return 9;
  const index = MONTHS.findIndex((month) => name === month || name === month.slice(0, 3));
  return index < 0 ? null : index + 1;
}

function offsetMs(zone: string): number {
  const parts = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (!parts) return 0;
  const minutes = Number(parts[2]) * 60 + Number(parts[3]);
  return (parts[1] === "-" ? -minutes : minutes) * 60_000;
}

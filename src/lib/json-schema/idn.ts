/** RFC 1034, section 3.1. */
const MAX_LENGTH = 253;
const MAX_LABEL = 63;
const SEPARATOR = /[.\uff0e\u3002\uff61]/;
const ASCII = /^[\0-\x7f]*$/;
const ACE = "xn--";

/** What RFC 5892, section 2, disallows among letters, digits and marks. */
const DISALLOWED =
  "\\p{Default_Ignorable_Code_Point}\\u0640\\u07fa\\u1100-\\u11ff\\u20d0-\\u20ff\\u302e\\u302f\\u3031-\\u3035\\u303b\\ua960-\\ua97c\\ud7b0-\\ud7fb\\u{1d100}-\\u{1d24f}";
/** Characters that are neither, but valid everywhere or in some places. */
const EXCEPTIONS = "\\u06fd\\u06fe\\u0f0b\\u3007\\u00b7\\u0375\\u05f3\\u05f4\\u30fb\\u200c\\u200d";
const VALID = new RegExp(
  `^(?:[a-z0-9\\-${EXCEPTIONS}]|[[\\p{Ll}\\p{Lo}\\p{Lm}\\p{Nd}\\p{Mn}\\p{Mc}]--[${DISALLOWED}]])+$`,
  "v",
);

/**
 * Characters in places where RFC 5892, appendix A, does not allow them. Of the first joiner the platform
 * knows more.
 */
const MISPLACED = [
  /(?<![\p{M}\p{sc=Arab}\p{sc=Syrc}\p{sc=Mand}\p{sc=Mong}\p{sc=Nkoo}\p{sc=Phag}])\u200c/u,
  /(?<!l)\u00b7|\u00b7(?!l)/u,
  /\u0375(?!\p{sc=Greek})/u,
  /(?<!\p{sc=Hebrew})[\u05f3\u05f4]/u,
  /^(?!.*[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]).*\u30fb/u,
  /^(?=.*[\u0660-\u0669]).*[\u06f0-\u06f9]/u,
];

/** The ranges of characters written from right to left (Unicode Standard Annex #9, table 4). */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Whether a text is an internationalized host name (RFC 5890 to 5893, after the mapping of UTS #46). */
export function isIdnHostname(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  const labels = text.split(SEPARATOR).map(labelOf);
  if (!labels.every((label) => label !== null)) return false;
  // RFC 5893, section 2: beside a label from right to left, all begin with a letter.
  const isBidi = labels.some((label) => RIGHT_TO_LEFT.test(label));
  if (isBidi && labels.some((label) => /^\d/.test(label))) return false;
  const ascii = asciiOf(labels.join("."));
  if (ascii === null || ascii.length > MAX_LENGTH) return false;
  return ascii.split(".").every(({ length }) => length <= MAX_LABEL);
}

/**
 * Returns a host name in ASCII, or null if a label joins characters or mixes directions as it must not,
 * which the platform knows. A name that ends with a number would be an IP address to it.
 */
function asciiOf(name: string): string | null {
  const address = `https://${name}.a/`;
  return URL.canParse(address) ? new URL(address).hostname.slice(0, -".a".length) : null;
}

/** Returns a label in Unicode, or null if it is none. */
function labelOf(text: string): string | null {
  const mapped = mapping(text);
  if (!mapped.startsWith(ACE)) return isLabel(mapped) ? mapped : null;
  const label = ASCII.test(text) ? decoded(mapped.slice(ACE.length)) : null;
  if (label === null || ASCII.test(label) || mapping(label) !== label) return null;
  return isLabel(label) && asciiOf(label) === mapped ? label : null;
}

const mapping = (text: string): string => text.normalize("NFKC").toLowerCase().normalize("NFKC");

function isLabel(text: string): boolean {
  const hasHyphens = text.startsWith("-") || text.endsWith("-") || text.slice(2, 4) === "--";
  if (hasHyphens || /^\p{M}/u.test(text) || !VALID.test(text)) return false;
  return !MISPLACED.some((rule) => rule.test(text));
}

const [BASE, T_MIN, T_MAX, SKEW, DAMP] = [36, 1, 26, 38, 700];

/** Decodes Punycode (RFC 3492, section 6.2); null for anything else. */
function decoded(text: string): string | null {
  const hyphen = text.lastIndexOf("-");
  const output = [...text.slice(0, Math.max(hyphen, 0))].map((char) => char.charCodeAt(0));
  let [code, bias, place] = [128, 72, 0];
  let at = hyphen + 1;
  while (at < text.length) {
    const before = place;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      const digit = Number.parseInt(text[at] ?? "", BASE);
      if (Number.isNaN(digit)) return null;
      at += 1;
      // RFC 3492 counts letters first, and then the digits.
      const value = digit < 10 ? digit + 26 : digit - 10;
      place += value * weight;
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (value < threshold) break;
      weight *= BASE - threshold;
    }
    const count = output.length + 1;
    bias = adapted(place - before, count, before === 0);
    code += Math.floor(place / count);
    place %= count;
    if (code > 0x10ffff) return null;
    output.splice(place, 0, code);
    place += 1;
  }
  return String.fromCodePoint(...output);
}

/** RFC 3492, section 6.1. */
function adapted(change: number, count: number, isFirst: boolean): number {
  let delta = isFirst ? Math.floor(change / DAMP) : Math.floor(change / 2);
  delta += Math.floor(delta / count);
  let k = 0;
  for (; delta > ((BASE - T_MIN) * T_MAX) / 2; k += BASE)
    delta = Math.floor(delta / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * delta) / (delta + SKEW));
}

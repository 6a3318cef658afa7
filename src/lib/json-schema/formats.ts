import { format as CFWORKER } from "@cfworker/json-schema";

/** Longer texts have no format: some checks take time that grows faster than the text. */
export const MAX_FORMATTED = 2_048;

const NAMES = [
  ...["date", "time", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"],
  ...["uri", "uri-reference", "uri-template", "regex", "json-pointer", "relative-json-pointer"],
];

/**
 * The formats of JSON Schema 2020-12, section 7.3, but the internationalized ones, which are annotations like
 * all others.
 */
export const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map(
  NAMES.flatMap((name): [string, (text: string) => boolean][] => {
    const format = CFWORKER[name];
    return format === undefined ? [] : [[name, format]];
  }),
);

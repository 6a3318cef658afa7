import { format as CFWORKER } from "@cfworker/json-schema";

/** Longer texts have no format: some checks take time that grows faster than the text. */
export const MAX_FORMATTED = 2_048;

type Format = (text: string) => boolean;

/** RFC 3986, appendix B: the five parts of any URI reference. */
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const AUTHORITY = /^(?:([^@]*)@)?(\[[^[\]]*\]|[^:]*)(?::(\d*))?$/s;

/** Characters of RFC 3986, section 2. */
const charactersOf = (others: string): RegExp =>
  new RegExp(`^(?:[\\w\\-.~!$&'()*+,;=${others}]|%[0-9A-Fa-f]{2})*$`, "u");
const USERINFO = charactersOf(":");
const NAME = charactersOf("");
const PATH = charactersOf(":@/");
const QUERY = charactersOf(":@/?");

function isReference({ needsScheme }: { needsScheme: boolean }): Format {
  return (text) => {
    const [, scheme, authority, path = "", query = "", fragment = ""] = PARTS.exec(text) ?? [];
    if (scheme === undefined ? needsScheme : !/^[a-z][a-z0-9+.-]*$/i.test(scheme)) return false;
    if (authority !== undefined && !isAuthority(authority)) return false;
    return PATH.test(path) && QUERY.test(query) && QUERY.test(fragment);
  };
}

function isAuthority(text: string): boolean {
  const [, userinfo = "", host] = AUTHORITY.exec(text) ?? [];
  if (host === undefined || !USERINFO.test(userinfo)) return false;
  if (!host.startsWith("[")) return NAME.test(host);
  const literal = host.slice(1, -1);
  return CFWORKER.ipv6?.(literal) === true || /^v[0-9a-f]+\.[\w\-.~!$&'()*+,;=:]+$/i.test(literal);
}

const SHARED = [
  ...["date", "time", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"],
  ...["regex", "uri-template", "json-pointer", "relative-json-pointer"],
];

/**
 * The formats of JSON Schema 2020-12, section 7.3, but the internationalized ones, which are annotations like
 * all others.
 */
export const FORMATS: ReadonlyMap<string, Format> = new Map([
  ...SHARED.flatMap((name): [string, Format][] => {
    const format = CFWORKER[name];
    return format === undefined ? [] : [[name, format]];
  }),
  ["uri", isReference({ needsScheme: true })],
  ["uri-reference", isReference({ needsScheme: false })],
]);

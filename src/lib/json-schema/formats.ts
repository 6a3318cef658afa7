import { format as CFWORKER } from "@cfworker/json-schema";
import { isIdnHostname } from "./idn.ts";

/** Longer texts have no format: some checks take time that grows faster than the text. */
export const MAX_FORMATTED = 2_048;

type Format = (text: string) => boolean;

/** RFC 1123, section 2.1. */
const LDH = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

const isHostname: Format = (text) => LDH.test(text) && isIdnHostname(text);

/** RFC 6531, section 3.3: RFC 5321's mailbox with every character beyond ASCII. */
const LOCAL_PART =
  /^(?:[\w!#$%&'*+\-/=?^`{|}~\u0080-\u{10ffff}]+(?:\.[\w!#$%&'*+\-/=?^`{|}~\u0080-\u{10ffff}]+)*|"(?:[ !#-[\]-~\u0080-\u{10ffff}]|\\[ -~])*")$/u;

const isIdnEmail: Format = (text) => {
  const at = text.lastIndexOf("@");
  const domain = text.slice(at + 1);
  if (at < 0 || !LOCAL_PART.test(text.slice(0, at))) return false;
  const literal = /^\[(?:IPv6:)?(.*)\]$/i.exec(domain)?.[1];
  return literal === undefined ? isIdnHostname(domain) : isIp(literal);
};

const isIp: Format = (text) => CFWORKER.ipv4?.(text) === true || CFWORKER.ipv6?.(text) === true;

/** RFC 3986, appendix B: the five parts of any URI reference. */
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const AUTHORITY = /^(?:([^@]*)@)?(\[[^[\]]*\]|[^:]*)(?::(\d*))?$/s;

/** Characters of RFC 3986, section 2, or of RFC 3987, section 2.2. */
function charactersOf(more: string, inQuery: string) {
  const plain = `\\w\\-.~!$&'()*+,;=${more}`;
  const encoded = "%[0-9A-Fa-f]{2}";
  const of = (others: string) => new RegExp(`^(?:[${plain}${others}]|${encoded})*$`, "u");
  return {
    userinfo: of(":"),
    name: of(""),
    path: of(":@/"),
    query: of(`:@/?${inQuery}`),
    fragment: of(":@/?"),
  };
}

const UCSCHAR = [
  "\\u{a0}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{ffef}",
  ...Array.from({ length: 13 }, (_, plane) => {
    const digit = (plane + 1).toString(16);
    return `\\u{${digit}0000}-\\u{${digit}fffd}`;
  }),
  "\\u{e1000}-\\u{efffd}",
].join("");
const IPRIVATE = "\\u{e000}-\\u{f8ff}\\u{f0000}-\\u{ffffd}\\u{100000}-\\u{10fffd}";

const URI = charactersOf("", "");
const IRI = charactersOf(UCSCHAR, IPRIVATE);

function isReference(allowed: typeof URI, needsScheme: boolean): Format {
  return (text) => {
    const [, scheme, authority, path = "", query = "", fragment = ""] = PARTS.exec(text) ?? [];
    if (scheme === undefined ? needsScheme : !/^[a-z][a-z0-9+.-]*$/i.test(scheme)) return false;
    if (authority !== undefined && !isAuthority(allowed, authority)) return false;
    return allowed.path.test(path) && allowed.query.test(query) && allowed.fragment.test(fragment);
  };
}

function isAuthority(allowed: typeof URI, text: string): boolean {
  const [, userinfo = "", host] = AUTHORITY.exec(text) ?? [];
  if (host === undefined || !allowed.userinfo.test(userinfo)) return false;
  if (!host.startsWith("[")) return allowed.name.test(host);
  const literal = host.slice(1, -1);
  return CFWORKER.ipv6?.(literal) === true || /^v[0-9a-f]+\.[\w\-.~!$&'()*+,;=:]+$/i.test(literal);
}

const isRegex: Format = (text) => {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
};

const SHARED = [
  ...["date", "time", "date-time", "duration", "email", "ipv4", "ipv6", "uuid"],
  ...["uri-template", "json-pointer", "relative-json-pointer"],
];

/** The formats of JSON Schema 2020-12, section 7.3; all others are annotations. */
export const FORMATS: ReadonlyMap<string, Format> = new Map([
  ...SHARED.flatMap((name): [string, Format][] => {
    const format = CFWORKER[name];
    return format === undefined ? [] : [[name, format]];
  }),
  ["hostname", isHostname],
  ["idn-hostname", isIdnHostname],
  ["idn-email", isIdnEmail],
  ["uri", isReference(URI, true)],
  ["uri-reference", isReference(URI, false)],
  ["iri", isReference(IRI, true)],
  ["iri-reference", isReference(IRI, false)],
  ["regex", isRegex],
]);

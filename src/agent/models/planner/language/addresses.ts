import { fillAddress, isAddress } from "./filled-addresses.ts";
import { References } from "./references.ts";

/** Ends that bare host names may have; without a list, "Node.js" and "report.csv" would be addresses. */
const TOP_LEVELS = new Set(
  (
    "com org net edu gov mil int info biz io dev app ai co uk de fr es nl ch eu ca au jp cn kr br mx " +
    "ru pl se dk fi pt cz gr hu ro ie nz za tr ua sk si hr lt lv ee lu li tv fm gg xyz site online " +
    "shop store blog tech cloud wiki example test local localhost invalid pro agency " +
    "digital solutions systems services host website"
  ).split(" "),
);

/** Ends that are also English words: only counted where a path or `www.` makes the meaning plain. */
const WORDLIKE_TOP_LEVELS = new Set(
  "it in to at me is us be no so my am as by do sh id name media live life today host space world company page news".split(
    " ",
  ),
);

const WITH_SCHEME = /\bhttps?:\/\/[^\s<>"'`«»“”‘’|\\^{}]{1,2000}/gi;
const BARE =
  /(?<![@\w./:-])((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,6}[a-z]{2,24}|localhost|(?:\d{1,3}\.){3}\d{1,3})(:\d{2,5})?((?:\/|\?)[^\s<>"'`«»“”‘’|\\^{}]{0,1000})?(?![@\w])/gi;
/** A path that addresses are to contain or end in is a text to look for. */
const RELATIVE =
  /(?<!(?:\b(?:end|ends|ending|start|starts|starting|begin|begins|beginning) (?:in|with|on)|\b(?:contains?|containing|includes?|including|matching|has|have|with)(?: the (?:path|text))?)\s["'`(]?)(?<=^|\s|["'`(])\/[a-z0-9\uE000][\w./?=&%~\uE000\uE001-]{0,300}/gi;
/** "{{base}}/orders": an address that begins with what an input holds. */
const REFERRED = /\uE000\d+\uE001[^\s<>"'`«»“”‘’|\\^{}]{0,1000}/g;

const OPENERS: Record<string, string> = { ")": "(", "]": "[" };

/** Takes off the punctuation of the sentence around an address; brackets that it opened itself stay. */
function trimEnd(raw: string): string {
  let address = raw;
  for (;;) {
    const last = address.at(-1) ?? "";
    const opener = OPENERS[last];
    const unbalanced =
      opener !== undefined && address.split(last).length > address.split(opener).length;
    if (!/[.,;:!?*_~]/.test(last) && !unbalanced) return address;
    address = address.slice(0, -1);
  }
}

function parse(address: string): string | null {
  if (!URL.canParse(address)) return null;
  return new URL(address).hostname === "" ? null : address;
}

/** The address that a bare host name stands for, or null when it is no address. */
function fromBare(host: string, port: string, path: string): string | null {
  const top = host.split(".").at(-1)?.toLowerCase() ?? "";
  const numeric = /^[\d.]+$/.test(host);
  if (numeric || host.toLowerCase() === "localhost") {
    return port === "" && path === "" ? null : parse(`http://${host}${port}${path}`);
  }
  const plain = TOP_LEVELS.has(top);
  const clear = path.startsWith("/") || /^www\./i.test(host);
  if (!plain && !(WORDLIKE_TOP_LEVELS.has(top) && clear)) return null;
  const scheme = /^(?:local|test|localhost)$/.test(top) && port !== "" ? "http" : "https";
  return parse(`${scheme}://${host}${port}${path}`);
}

export interface Addressed {
  /** The text with `url0_`, `url1_`, … in place of the addresses. */
  text: string;
  addresses: string[];
}

/**
 * Finds the addresses in a text: absolute ones, bare host names (`example.com/page`), and paths
 * (`/about`), which belong to the address before them. `known` are those of earlier texts.
 * References in an address are filled in; one that cannot be leaves nothing to open.
 */
export function findAddresses(
  text: string,
  known: string[] = [],
  references = new References(null),
): Addressed {
  const addresses = [...known];
  const token = (raw: string): string => {
    const address = raw.includes("\uE000") ? fillAddress(raw, references) : raw;
    if (address === null) return " ";
    const at = addresses.indexOf(address);
    if (at >= 0) return ` url${at}_ `;
    addresses.push(address);
    return ` url${addresses.length - 1}_ `;
  };
  const absolute = text.replace(WITH_SCHEME, (raw) => {
    const address = trimEnd(raw);
    const known = parse(address) !== null || address.includes("\uE000");
    return known ? token(address) + raw.slice(address.length) : raw;
  });
  const referred = absolute.replace(REFERRED, (raw) => {
    const address = trimEnd(raw);
    const { value } = references.at(/\d+/.exec(address)?.[0]);
    return isAddress(value) ? token(address) + raw.slice(address.length) : raw;
  });
  const bare = referred.replace(BARE, (raw, host: string, port = "", path = "") => {
    const kept = trimEnd(raw);
    const tail = raw.slice(kept.length);
    const trimmedPath = kept.slice(host.length + String(port).length);
    const address = fromBare(host, String(port), path === "" ? "" : trimmedPath);
    return address === null ? raw : token(address) + tail;
  });
  const base = addresses[0];
  if (base === undefined) return { text: bare, addresses };
  const relative = bare.replace(RELATIVE, (raw) => {
    const path = trimEnd(raw);
    return token(new URL(base).origin + path) + raw.slice(path.length);
  });
  return { text: relative, addresses };
}

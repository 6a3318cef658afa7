import { Parser } from "htmlparser2";
import type { PageContent } from "../../../contract/tools/browse.ts";
import { MAX_OPEN } from "./tree.ts";

/** A page with fewer characters is probably empty without its scripts. */
const LITTLE = 60;
/** A page with fewer characters that asks for JavaScript or has an empty root is only a frame. */
const FRAME = 600;
/** The types of scripts that are code; all others are data. */
const CODE = /^(|module|(text|application)\/(x-)?(java|ecma)script)$/;
/** The ids of the elements that common frameworks render into. */
const ROOTS = /^(root|app|__next|__nuxt|___gatsby|svelte|main-app|app-root|react-root|q-app)$/i;
const ASKS =
  /(java\s?script|JS)\b.{0,80}\b(enabled?|required?|disabled|turn(ed)? on|activ\w*|needed|aktiv\w*|erforderlich|activé|activer)|\b(enable|turn on|activate|requires?|needs?|without|aktiviere\w*|activer|activez)\b.{0,60}java\s?script/is;

/**
 * Whether a page is probably incomplete without JavaScript: it has code, and hardly any text, or asks
 * for JavaScript, or has an empty element where a framework renders.
 */
export function needsScripts(html: string, { text, tables }: PageContent): boolean {
  const signs = signsOf(html);
  if (!signs.code) return false;
  // An address ends at the next bracket of either kind, so that unclosed ones stay linear.
  const letters = text.replace(/\]\([^()]*\)|[\s#*|_`>-]+/g, "").length;
  if (letters < LITTLE && tables.length === 0) return true;
  return letters < FRAME && (signs.emptyRoot || ASKS.test(signs.noscript));
}

interface Signs {
  code: boolean;
  /** The page's text for readers without JavaScript. */
  noscript: string;
  emptyRoot: boolean;
}

function signsOf(html: string): Signs {
  const signs: Signs = { code: false, noscript: "", emptyRoot: false };
  let noscript = 0;
  /** The open root and whether it has content; null if none is open. */
  let root: { depth: number; filled: boolean } | null = null;
  let depth = 0;
  const parser = new Parser({
    onopentag(name, { type = "", id = "" }) {
      depth += 1;
      if (name === "script" && CODE.test(type.trim().toLowerCase())) signs.code = true;
      if (name === "noscript") noscript += 1;
      if (root === null && (ROOTS.test(id) || name === "app-root")) root = { depth, filled: false };
      if (depth > MAX_OPEN) parser.pause();
    },
    ontext(text) {
      if (text.trim() === "") return;
      if (noscript > 0) signs.noscript += ` ${text}`;
      else if (root) root.filled = true;
    },
    onclosetag(name) {
      if (name === "noscript") noscript -= 1;
      if (root?.depth === depth) {
        if (!root.filled) signs.emptyRoot = true;
        root = null;
      }
      depth -= 1;
    },
  });
  parser.write(html);
  if (depth <= MAX_OPEN) parser.end();
  return signs;
}

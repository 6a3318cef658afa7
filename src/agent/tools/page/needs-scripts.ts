import { Parser } from "htmlparser2";
import type { PageContent } from "../../../contract/tools/browse.ts";
import { MAX_OPEN } from "./tree.ts";

/** Characters below which a page says so little that its scripts may well say the rest. */
const LITTLE = 60;
/** Characters below which a page that asks for JavaScript, or has an empty root, is a mere frame. */
const FRAME = 600;
/** What a script's type says when it is code; any other type is data. */
const CODE = /^(|module|(text|application)\/(x-)?(java|ecma)script)$/;
/** Where the usual frameworks put what they make. */
const ROOTS = /^(root|app|__next|__nuxt|___gatsby|svelte|main-app|app-root|react-root|q-app)$/i;
const ASKS =
  /(java\s?script|JS)\b.{0,80}\b(enabled?|required?|disabled|turn(ed)? on|activ\w*|needed|aktiv\w*|erforderlich|activé|activer)|\b(enable|turn on|activate|requires?|needs?|without|aktiviere\w*|activer|activez)\b.{0,60}java\s?script/is;

/**
 * Whether a page read without JavaScript is likely empty for the want of it: it has code, and hardly
 * any text, or asks its reader for JavaScript, or has an empty element where a framework builds.
 */
export function needsScripts(html: string, { text, tables }: PageContent): boolean {
  const signs = signsOf(html);
  if (!signs.code) return false;
  // An address ends at the next bracket of either kind, or many that never end would take for ever.
  const letters = text.replace(/\]\([^()]*\)|[\s#*|_`>-]+/g, "").length;
  if (letters < LITTLE && tables.length === 0) return true;
  return letters < FRAME && (signs.emptyRoot || ASKS.test(signs.noscript));
}

interface Signs {
  code: boolean;
  /** All that the page says to readers without JavaScript. */
  noscript: string;
  emptyRoot: boolean;
}

function signsOf(html: string): Signs {
  const signs: Signs = { code: false, noscript: "", emptyRoot: false };
  let noscript = 0;
  /** Whether the root that is open, if any, has had content; null when none is. */
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

import type { PageContent } from "../../../contract/tools/browse.ts";
import { elementsOf, type Node, parseTree, textOf } from "./tree.ts";

/** A page with fewer characters is probably empty without its scripts. */
const LITTLE = 60;
/** A page with fewer characters that asks for JavaScript or has an empty root is only a frame. */
const FRAME = 600;
const MAX_NOSCRIPT = 10_000;
/** The ids of the elements that common frameworks render into. */
const ROOTS = /^(root|app|__next|__nuxt|___gatsby|svelte|main-app|app-root|react-root|q-app)$/i;
const ASKS =
  /(java\s?script|JS)\b.{0,80}\b(enabled?|required?|disabled|turn(ed)? on|activ\w*|needed|aktiv\w*|erforderlich|activé|activer)|\b(enable|turn on|activate|requires?|needs?|without|aktiviere\w*|activer|activez)\b.{0,60}java\s?script/is;

/**
 * Whether a page is probably incomplete without JavaScript: it has code, and hardly any text, or asks
 * for JavaScript, or has an empty element where a framework renders.
 */
export function needsScripts(html: string, { text, tables }: PageContent): boolean {
  const { root, hasCode, noscript } = parseTree(html);
  if (!hasCode) return false;
  // An address ends at the next bracket of either kind, so that unclosed ones stay linear.
  const letters = text.replace(/\]\([^()]*\)|[\s#*|_`>-]+/g, "").length;
  if (letters < LITTLE && tables.length === 0) return true;
  return (
    letters < FRAME &&
    (hasEmptyRoot(root.children) || ASKS.test(textOf(noscript, { max: MAX_NOSCRIPT })))
  );
}

/** Whether an element where a framework renders shows nothing. */
function hasEmptyRoot(nodes: Node[]): boolean {
  return elementsOf(nodes).some((node) => {
    const isRoot = node.name === "app-root" || ROOTS.test(node.attributes.id ?? "");
    return (isRoot && textOf(node, { max: 1 }) === "") || hasEmptyRoot(node.children);
  });
}

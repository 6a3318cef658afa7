import { type Element, isBlock, type Node } from "./tree.ts";

/**
 * Characters that show nothing: Unicode's default-ignorables, among them tag characters and
 * variation selectors, in which whole sentences can be hidden, and controls. The joiners stay:
 * Persian, Indic scripts and emoji are written with them.
 */
const INVISIBLE = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}|(?![\t\n\f\r])\p{Cc}/gu;

/** The text without the characters that nobody can see. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, "");
}

/** One line: every run of white space, no-break ones included, becomes a space. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

export interface TextOptions {
  /** Characters collected at most, so that nested elements cannot repeat a page many times over. */
  max: number;
  withTables?: boolean;
}

/** The text of an element on one line, words of separate blocks kept apart. */
export function textOf(element: Element, options: TextOptions): string {
  const parts: string[] = [];
  gather(element.children, options.max, options.withTables ?? true, parts);
  return cutAt(oneLine(parts.join("")), options.max);
}

/** Adds the text of `nodes` to `parts` and returns how many more characters may follow. */
function gather(nodes: Node[], room: number, withTables: boolean, parts: string[]): number {
  let left = room;
  for (const node of nodes) {
    if (left <= 0) return left;
    if (typeof node === "string") {
      parts.push(node);
      left -= node.length;
      continue;
    }
    if (node.name === "table" && !withTables) continue;
    const apart = isBlock(node) || node.name === "br" ? " " : "";
    parts.push(apart);
    left = gather(node.children, left, withTables, parts);
    parts.push(apart);
  }
  return left;
}

/** At most `max` characters, without half a surrogate pair at the end. */
export function cutAt(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/[\ud800-\udbff]$/, "");
}

import { oneLine, visible } from "../text.ts";
import { type Element, isBlock, type Node, textOf } from "./tree.ts";

const SCHEMES = new Set(["http:", "https:", "mailto:"]);
const MAX_TEXT = 500;

/** The base of a page's links. */
export interface LinkBase {
  /** The page's own address. */
  page: string;
  /** The base of relative links: the page, or its `<base>`. */
  base: string;
}

/** Returns the base of a page's links; a `<base>` that is not http or https is ignored. */
export function linkBase(page: string, written: string | null): LinkBase {
  const base = written === null ? null : URL.parse(written.trim(), page);
  return { page, base: base && /^https?:$/.test(base.protocol) ? base.href : page };
}

/** Returns the absolute target of an http, https or mailto link, or null for anchors and scripts. */
export function resolveLink(written: string | undefined, { page, base }: LinkBase): string | null {
  if (written === undefined) return null;
  const url = URL.parse(written.trim(), base);
  if (!url || !SCHEMES.has(url.protocol)) return null;
  return url.hash && withoutHash(url.href) === withoutHash(page) ? null : url.href;
}

/** Returns the words of a link on one line. */
export function linkText(link: Element): string {
  return linkWords(link, textOf(link, { max: MAX_TEXT }));
}

/** Returns a link's text if it has letters or digits, else its label: an arrow alone is no text. */
function linkWords(link: Element, shown: string): string {
  return /[\p{L}\p{N}]/u.test(shown) ? shown : labelOf(link) || shown;
}

/** Returns the label of an element without text of its own. */
function labelOf({ attributes, children }: Element): string {
  const own = attributes["aria-label"] ?? attributes.title ?? attributes.alt;
  if (own) return oneLine(visible(own)).slice(0, MAX_TEXT);
  for (const child of children) {
    const label = typeof child === "string" ? "" : labelOf(child);
    if (label) return label;
  }
  return "";
}

function withoutHash(url: string): string {
  return url.split("#", 1)[0] ?? url;
}

/** Stands for `<br>` until the lines are split; no page text contains it, see `visible`. */
const BREAK = "\0";

/** Elements that look separate from their neighbours without a space. */
const APART = new Set(["button", "label", "input"]);

const MAX_CODE = 4_000;

/** Renders inline elements and text as lines, split at `<br>`. */
export function inlineLines(nodes: Node[], base: LinkBase): string[] {
  return renderAll(nodes, base, false).split(BREAK).map(oneLine).filter(Boolean);
}

/** Renders inline elements and text on one line. */
export function inlineText(nodes: Node[], base: LinkBase): string {
  return inlineLines(nodes, base).join(" ");
}

/** Writes a Markdown link. */
export function markdownLink(text: string, target: string): string {
  return `[${text}](${/[()]/.test(target) ? `<${target}>` : target})`;
}

/** Renders preformatted text as the lines of a fenced code block, whose fence is longer than any in it. */
export function codeLines(node: Element): string[] {
  const lines = rawText(node.children).replace(/\r\n?/g, "\n").trimEnd().split("\n");
  if (lines[0]?.trim() === "") lines.shift();
  if (lines.length === 0) return [];
  const longest = (lines.join("\n").match(/`{3,}/g) ?? []).map(({ length }) => length);
  const fence = "`".repeat(Math.max(2, ...longest) + 1);
  return [fence, ...lines, fence];
}

function renderAll(nodes: Node[], base: LinkBase, inLink: boolean): string {
  let previous: Node | undefined;
  const parts: string[] = [];
  for (const node of nodes) {
    if (isLink(previous) && isLink(node)) parts.push(" ");
    parts.push(render(node, base, inLink));
    previous = node;
  }
  return parts.join("");
}

/** Whether a node is a link: adjacent links are separated by their style, which is not read. */
function isLink(node: Node | undefined): boolean {
  return typeof node === "object" && node.name === "a";
}

function render(node: Node, base: LinkBase, inLink: boolean): string {
  if (typeof node === "string") return node;
  const { name, children } = node;
  if (name === "br") return BREAK;
  if (name === "img") return renderImage(node, base, inLink);
  if (name === "code" || name === "kbd" || name === "samp") return renderCode(node);
  if (name === "a" && !inLink) return renderLink(node, base);
  // Tables are always written as separate blocks.
  if (name === "table") return "";
  const text = renderAll(children, base, inLink);
  return isBlock(node) || APART.has(name) ? ` ${text} ` : text;
}

function renderLink(node: Element, base: LinkBase): string {
  const shown = renderAll(node.children, base, true).replaceAll(BREAK, " ");
  const label = linkWords(node, oneLine(shown));
  const target = resolveLink(node.attributes.href, base);
  if (!label) return " ";
  const [before, after] = [/^\s/.test(shown) ? " " : "", /\s$/.test(shown) ? " " : ""];
  return `${before}${target ? markdownLink(label, target) : label}${after}`;
}

/** Renders an image as its description; one without is decoration. */
function renderImage(node: Element, base: LinkBase, inLink: boolean): string {
  const text = labelOf(node);
  const target = resolveLink(node.attributes.src, base);
  return text && target && !inLink ? `!${markdownLink(text, target)}` : text;
}

/** Renders code as it is where it has marks of its own. */
function renderCode(node: Element): string {
  const text = textOf(node, { max: MAX_CODE });
  return text === "" || text.includes("`") ? text : `\`${text}\``;
}

function rawText(nodes: Node[]): string {
  return nodes.map(rawNode).join("");
}

function rawNode(node: Node): string {
  if (typeof node === "string") return node;
  if (node.name === "br") return "\n";
  return rawText(node.children) + (isBlock(node) ? "\n" : "");
}

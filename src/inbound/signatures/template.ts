import { TEMPLATE_PARTS } from "../../contract/inbound/signature.ts";

export type TemplatePart = (typeof TEMPLATE_PARTS)[number];

/** What fills a template. */
export interface PartValues {
  id: string;
  timestamp: string;
  body: Uint8Array;
  url: string;
  sortedParams: string;
}

const PART = /\{([^{}]*)\}/;
const encoder = new TextEncoder();

/** The names between braces, in order. */
export function partsOf(template: string): string[] {
  return template.split(PART).filter((_, at) => at % 2 === 1);
}

/** Whether a name between braces is a part that can be filled. */
export function isPart(name: string): name is TemplatePart {
  return TEMPLATE_PARTS.some((part) => part === name);
}

/** The bytes that are signed. */
export function fillTemplate(template: string, values: PartValues): Uint8Array {
  const pieces = template.split(PART).map((piece, at) => {
    if (at % 2 === 0) return encoder.encode(piece);
    if (!isPart(piece)) return encoder.encode(`{${piece}}`);
    const value = values[piece];
    return typeof value === "string" ? encoder.encode(value) : value;
  });
  return concat(pieces.filter(({ length }) => length > 0));
}

/** One array; the only one itself, so that a body is not copied without need. */
function concat(pieces: Uint8Array[]): Uint8Array {
  const [first] = pieces;
  if (first !== undefined && pieces.length === 1) return first;
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

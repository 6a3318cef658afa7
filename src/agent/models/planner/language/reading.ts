import type { JsonObject } from "../../../../contract/json.ts";
import { findAddresses } from "./addresses.ts";
import { withoutClosing } from "./closings.ts";
import { type Block, type Literals, takeBlocks, takeStrings } from "./literals.ts";
import { normalize, sentences } from "./normalize.ts";
import { placeReferences } from "./placed-references.ts";
import { References } from "./references.ts";
import { writeRows } from "./written-rows.ts";

/** One sentence of what the client wrote. */
export interface Sentence {
  /** Normalized, with placeholders. */
  text: string;
  /** As written, with placeholders. */
  raw: string;
  /** Places in the list of addresses. */
  urls: number[];
  /** Places in the list of blocks. */
  blocks: number[];
  /** Which of the client's messages it stands in; 0 is the prompt. */
  message: number;
}

/** The client's messages, read: sentences, and what was taken out of them. */
export interface Reading {
  sentences: Sentence[];
  addresses: string[];
  blocks: Block[];
  strings: string[];
  /** Why the prompt cannot be carried out with the inputs that were given. */
  problems: string[];
  /** Inputs that the prompt refers to and that were not given. */
  missing: string[];
}

const places = (text: string, kind: string): number[] => [
  ...new Set(
    [...text.matchAll(new RegExp(`${kind}(\\d+)_`, "g"))].map((match) => Number(match[1])),
  ),
];

/** One sentence as written, read. */
export function readSentence(raw: string, message: number): Sentence {
  return {
    text: normalize(raw),
    raw,
    urls: places(raw, "url"),
    blocks: places(raw, "blk"),
    message,
  };
}

/** Reads all messages of the client, in order. What is quoted or referred to as input is data only. */
export function readMessages(messages: string[], inputs: JsonObject | null): Reading {
  const references = new References(inputs);
  let literals: Literals = { text: "", blocks: [], strings: [] };
  let addresses: string[] = [];
  const all: Sentence[] = [];
  messages.forEach((text, message) => {
    literals = takeBlocks(writeRows(references.mark(withoutClosing(text))), literals, references);
    const addressed = findAddresses(literals.text, addresses, references);
    addresses = addressed.addresses;
    const quoted = takeStrings(addressed.text, literals.strings, references);
    literals = { ...literals, strings: quoted.strings };
    const placed = placeReferences(quoted.text, literals, references);
    for (const raw of sentences(placed)) all.push(readSentence(raw, message));
  });
  const { blocks, strings } = literals;
  const { problems, missing } = references;
  return { sentences: all, addresses, blocks, strings, problems, missing };
}

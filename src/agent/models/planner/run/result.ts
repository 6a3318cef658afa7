import type { NodeType } from "../../../../contract/execution.ts";
import type { Json } from "../../../../contract/json.ts";
import type { Part } from "../program.ts";
import type { Desk } from "./desk.ts";
import type { ReadPage } from "./view.ts";
import { sentence } from "./words.ts";

/** What a part came to. All of it comes from the tools' answers, or from the prompt itself. */
export interface Result {
  part: Part;
  columns: string[];
  rows: Json[][];
  data: Json;
  /** The answer in a sentence. */
  sentence: string;
  /** The answer in full, as a mail or a text file tells it. */
  text: string;
  /** How the result is output. */
  output: "table" | "json" | "text";
  /** The kind of output, if it is the content of a page, a response or code itself. */
  nodeType?: NodeType;
  /** The call whose answer holds the rows as they are. */
  callId: string | null;
  /** The calls that the result is based on. */
  sources: string[];
  notes: string[];
}

/** What the results need besides the program. */
export interface Room {
  desk: Desk;
  pages: ReadonlyMap<string, readonly ReadPage[]>;
}

/** Makes the result of a part from what is said of it. */
export function told(
  part: Part,
  said: string,
  { data, ...fields }: Pick<Result, "data"> & Partial<Result>,
): Result {
  const text = sentence(`${part.label}: ${said}`);
  const own = { columns: [part.label], rows: [[data]], sentence: text, text };
  return { part, data, ...own, output: "json", callId: null, sources: [], notes: [], ...fields };
}

/** Fails for the sake of a part. */
export function failPart({ says }: Part, message: string, desk: Desk): null {
  return desk.fail(`${sentence(says)} ${sentence(message)}`);
}

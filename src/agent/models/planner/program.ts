import type { Json, JsonObject } from "../../../contract/json.ts";
import type {
  DataOperation,
  DataSource,
  Extraction,
} from "../../../contract/tools/process-data.ts";

/** Where a node of a program stands in the text of the instructions: token numbers, the end excluded. */
export interface Origin {
  from: number;
  to: number;
}

/** Which pages of a paged list are read. If the prompt says nothing, all are read and both readings compared. */
export type Paging =
  | { kind: "unsaid" }
  | { kind: "this" }
  | { kind: "all" }
  /** The first `count` pages. */
  | { kind: "first"; count: number }
  /** The page of this number alone. */
  | { kind: "page"; number: number };

/** A link to open from the page before: the one whose text or address has the words, or each of them. */
export interface Hop {
  which: "one" | "each";
  /** Words of the link's text; empty for every link of the list. */
  words: string;
}

/** Something that is read before the data is understood. */
export type Source =
  | {
      kind: "page";
      id: string;
      url: string;
      hops: Hop[];
      paging: Paging;
    }
  | { kind: "inline"; id: string; data: string; format: "csv" | "json" | "text" }
  /** All inputs of the trigger. */
  | { kind: "input"; id: string }
  | { kind: "search"; id: string; query: string; count: number }
  /** JavaScript of the prompt, given the inputs; its value is the page. */
  | { kind: "code"; id: string; code: string };

/** A table of a page, with the extraction by which `process_data` gets the same rows. */
export interface MaterialTable {
  /**
   * `list` is a list of items under its heading, `cards` are things shown one after another, `record` is
   * one row of what a page or an object says of itself, under its labels.
   */
  kind: "table" | "list" | "cards" | "record";
  /** The caption, or the heading before it. */
  caption: string | null;
  columns: string[];
  rows: Json[][];
  extract: Extraction;
  /** The address behind each row. */
  links?: string[];
  /** Where the rows are if they are not in the page's own answer. */
  from?: DataSource;
}

/** One page, document or text that was read. */
export interface MaterialPage {
  url: string | null;
  /** The page as `process_data` takes it. */
  from: DataSource;
  /** The call that read it; null for inline data and inputs. */
  callId: string | null;
  title: string;
  text: string;
  headings: { level: number; text: string }[];
  links: { text: string; url: string }[];
  /** Items of bulleted and numbered lists. */
  items: string[];
  tables: MaterialTable[];
  /** The value of a JSON document. */
  json?: Json;
  /** Whether the text was cut, so that rows may be missing. */
  cut: boolean;
}

/** The pages that a source gave, in reading order. */
export interface Material {
  sourceId: string;
  pages: MaterialPage[];
  /** Whether the last page links to a next one that was not read. */
  further: boolean;
}

/** Rows to take and what to do with them: one call of `process_data`, or one per table and one that joins. */
export interface Query {
  tables: { from: DataSource; extract: Extraction; url: string | null }[];
  operations: DataOperation[];
}

/** What a part answers. All figures come from the queries' rows as the tool returned them. */
export type Answer =
  /** Rows and columns. */
  | { kind: "table"; query: Query }
  /** The values of the only column. */
  | { kind: "list"; query: Query }
  /** The only cell of the only row; `whole` rows of ties are all said. */
  | { kind: "value"; query: Query }
  /** The number of rows. */
  | { kind: "count"; query: Query }
  /** Whether there is any row; the rows are shown if there are some. */
  | { kind: "exists"; query: Query }
  /** Whether every row of `all` is in `query`. */
  | { kind: "every"; query: Query; all: Query }
  /** The first figure in percent of the second. */
  | { kind: "share"; queries: [Query, Query]; labels: [string, string] }
  /** The rows of both sides that have no partner (by `key`), or whose partner differs. */
  | {
      kind: "compare";
      before: Query;
      after: Query;
      key: string;
      show: "added" | "removed" | "changed" | "common" | "all";
      /** Whether only the number of these rows is wanted. */
      counts: boolean;
    }
  /** The text of the page, its title, its description, a summary of it, or its JSON as it is. */
  | {
      kind: "page";
      what: "text" | "title" | "summary" | "description" | "status" | "json";
      sourceIds: string[];
    }
  /** The first results of a search that tell a price. */
  | { kind: "prices"; sourceId: string; count: number }
  /** A text of the prompt itself, to be returned as it is. */
  | { kind: "literal"; text: string; data?: Json };

/** The form in which a part's answer is output. */
export type Form = "auto" | "table" | "list" | "number" | "json" | "csv" | "markdown" | "text";

/** One thing that the prompt wants to know or to get. */
export interface Part {
  id: string;
  /** What is done, in canonical English, such as "count the rows of http://a.test/ whose Status is open". */
  says: string;
  /** A short title of the result, such as "Products by price". */
  label: string;
  answer: Answer;
  form: Form;
  /** Cleaning of the cells (trim, dedupe, numbers) through `run_code` before the operations. */
  clean: boolean;
}

/** A text that may contain results: literal pieces and parts by their ids. */
export type Template = ({ text: string } | { part: string })[];

/** An output or an effect besides the answer. Deliveries with an effect come last. */
export type Delivery = { id: string; says: string; when: Condition | null; origin: Origin } & (
  | {
      kind: "file";
      format: "xlsx" | "csv" | "json" | "markdown" | "text";
      filename: string | null;
      /** A workbook has a sheet for each; the other formats have one part. */
      parts: string[];
    }
  | {
      kind: "mail";
      to: string[];
      cc: string[];
      subject: string | null;
      body: Template;
      /** Deliveries of kind `file`. */
      attachments: string[];
    }
  | {
      kind: "request";
      method: "POST" | "PUT" | "PATCH" | "DELETE";
      url: string;
      body: RequestBody;
    }
);

export type RequestBody =
  | { kind: "none" }
  /** JSON as the prompt gave it, or as it was filled. */
  | { kind: "json"; value: Json }
  /** JSON of the prompt with holes that results fill. */
  | { kind: "template"; value: Json; holes: Hole[] }
  /** An object with one field for each part, or the part's data itself if `fields` has one entry without a name. */
  | { kind: "parts"; fields: { name: string | null; part: string }[] };

/** A place in a JSON body that a part's value fills. */
export interface Hole {
  path: (string | number)[];
  part: string;
  as: "number" | "text" | "auto";
  /** Words that name the value, if the part gives a row of several. */
  words: string;
}

/** The delivery happens only if the part's answer has rows, has none, or is a figure that passes a test. */
export interface Condition {
  part: string;
  holds: "some" | "none" | Threshold;
}

export interface Threshold {
  test: "gt" | "gte" | "lt" | "lte" | "eq";
  value: number;
}

/** A program that every law accepted. */
export interface Program {
  parts: Part[];
  deliveries: Delivery[];
}

/** What was read of a prompt before its sources are opened: what to open, and what will be done outside. */
export interface Draft {
  sources: Source[];
  /** Deliveries known before reading; the parts that they name follow. */
  deliveries: Delivery[];
  /** Lines of the `plan` event before the data is known. */
  says: string[];
  /** The tools that the draft needs besides reading; the run fails before the first call without them. */
  needs: string[];
  /** What the binding needs; opaque to others. */
  parts: DraftPart[];
}

/** A part that is not bound to data yet. */
export interface DraftPart {
  id: string;
  sourceIds: string[];
  /** The words that say what is wanted of the data, as token ranges of the instructions. */
  request: Origin[];
  form: Form;
  /** Words of a message that take the place of like words of the request: "I meant the median". */
  variation?: Origin;
  /** What a comparison of its two sources shows. */
  comparison?: "added" | "removed" | "changed" | "common" | "all";
}

/** Why the instructions were not accepted. */
export interface Refusal {
  /** One sentence: what is wrong. */
  reason: string;
  /** The parts that were understood, in canonical English. */
  understood: string[];
  /** The words that were not. */
  words: string[];
  /** A prompt that would work. */
  suggestion: string | null;
}

/** A question whose answer decides between readings. */
export interface Question {
  text: string;
  /** The readings in canonical English; empty if the answer is free, such as an address. */
  choices: string[];
}

/** The user's turns: the prompt, messages, and answers to questions. */
export interface Instruction {
  text: string;
  /** The question that this text answers, if it came after `ask_user`. */
  answers: string | null;
}

/** The reading of the instructions before anything is opened. */
export type Understanding =
  | { kind: "draft"; draft: Draft }
  /** The program does not depend on the content of its sources. */
  | { kind: "program"; program: Program; sources: Source[] }
  /** "Stop": the execution ends with what it has. */
  | { kind: "stopped" }
  | { kind: "ask"; question: Question; refusal: Refusal }
  | { kind: "refused"; refusal: Refusal };

/** The reading after the sources were read. `ask` carries the refusal of a run that may not ask. */
export type Binding =
  | { kind: "program"; program: Program }
  | { kind: "ask"; question: Question; refusal: Refusal }
  | { kind: "refused"; refusal: Refusal };

/** Reads the instructions; in `parse/understand.ts`. */
export type Understand = (instructions: Instruction[], inputs: JsonObject | null) => Understanding;

/** Binds a draft to what was read; in `parse/bind.ts`. Answers to questions come with the instructions. */
export type Bind = (
  draft: Draft,
  materials: Material[],
  instructions: Instruction[],
  inputs: JsonObject | null,
) => Binding;

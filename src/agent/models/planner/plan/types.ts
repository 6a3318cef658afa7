import type { Json } from "../../../../contract/json.ts";
import type { HttpRequestInput } from "../../../../contract/tools/http-request.ts";
import type { Block } from "../language/literals.ts";
import type { Orders } from "./orders.ts";

/** Something that an ask names outright and that has its own way to be found. */
export type Want =
  | { kind: "emails" }
  | { kind: "phones" }
  | { kind: "links" }
  | { kind: "headings"; level?: number; headlines?: true }
  | { kind: "prices" }
  | { kind: "lists" }
  | { kind: "lines"; containing: string }
  | { kind: "title" }
  | { kind: "description" }
  | { kind: "summary" }
  | { kind: "content" }
  | { kind: "paragraphs"; from: "start" | "end"; skip: number; count: number }
  | { kind: "mention"; phrase: string }
  | { kind: "occurrences"; phrase: string }
  | { kind: "status" }
  | { kind: "response"; unless?: "records" }
  | { kind: "words" }
  | { kind: "parts"; of: "tables" | "paragraphs" | "columns" }
  | { kind: "records" };
export type WantKind = Want["kind"];

/** A way on from the pages that were opened to other pages. */
export type Hop =
  | { kind: "link"; text: string; click?: true }
  | { kind: "position"; index: number }
  | { kind: "each"; about: string | null; containing?: string; limit: number | null }
  | { kind: "pages"; limit: number | null };

/** How the answer is to look. */
export type Form =
  | "auto"
  | "table"
  | "json"
  | "csv"
  | "xlsx"
  | "list"
  | "sentence"
  | "number"
  | "yesno";

/** What to find out about which pages. */
export interface Ask {
  addresses: string[];
  request: HttpRequestInput | null;
  hops: Hop[];
  /** Wanted of the pages after the last hop. */
  wants: Want[];
  /** Wanted of the pages before the first hop. */
  wantsBefore: Want[];
  /** The words that are left for the data itself to give a meaning to: columns, values, order. */
  text: string;
  /** Paths into JSON that were written out, such as `data.items[0].name`. */
  paths: string[];
  compare: boolean;
  /** The data that came with the prompt instead of an address. */
  blocks: Block[];
}

/** All that the client asked for, over all of its messages. */
export type Goal =
  | { kind: "reply"; text: string; data?: Json }
  | { kind: "refuse"; reason: string }
  | { kind: "unclear"; question: string; reason: string }
  | {
      kind: "work";
      asks: Ask[];
      form: Form;
      strings: string[];
      /** Sentences about what was asked for and cannot be done. */
      notes: string[];
      orders: Orders;
      /** What decides the condition of an order. */
      conditions: Ask[];
    };

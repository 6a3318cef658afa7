import type { NodeType } from "../../../../contract/execution.ts";
import type { Json } from "../../../../contract/json.ts";
import type { OutputType } from "./outputs.ts";

/** What the rules behind a piece did not read of the ask. */
interface Leftover {
  text: string;
  /** The name of the table or list that was taken: its words are read by that. */
  name: string;
  kind: string;
  /** Whether conditions, an order or figures were read. */
  operative: boolean;
}

/** One piece of the answer. */
export interface Part {
  /** Names the piece where there are several: "emails", "title". */
  label: string;
  /** What was found, in sentences. */
  summary: string;
  /** The same for a machine; undefined when nothing could be worked out. */
  data: Json | undefined;
  status: "found" | "nothing" | "failed";
  /** The process_data call that holds the rows. */
  callId: string | null;
  /** Whole rows behind the data, for a caller's schema: one object for each row. */
  records: Record<string, Json>[];
  output: OutputType | null;
  /** Calls that it came from. */
  sources: string[];
  /** Null where the piece tells by itself what it is about, or has failed. */
  leftover: Leftover | null;
  /** What kind of thing made it, where its output does not say so by itself. */
  nodeType?: NodeType;
}

/** A piece that came to nothing, with the sentence that says so. */
export function failedPart(label: string, summary: string): Part {
  return {
    label,
    summary,
    data: undefined,
    status: "failed",
    callId: null,
    records: [],
    output: null,
    sources: [],
    leftover: null,
  };
}

/** A piece that was read off a page without further calls. */
export function textPart(
  label: string,
  summary: string,
  data: Json,
  sources: string[],
  output: OutputType | null = null,
): Part {
  const record: Record<string, Json> = isPlain(data) ? data : { [label]: data };
  return {
    label,
    summary,
    data,
    status: "found",
    callId: null,
    records: [record],
    output,
    sources,
    leftover: null,
  };
}

function isPlain(data: Json): data is Record<string, Json> {
  return typeof data === "object" && data !== null && !Array.isArray(data);
}

import type { Json } from "../../../../contract/json.ts";
import { pageContent } from "../../../../contract/tools/browse.ts";
import type { ToolAnswer } from "../../../../contract/tools/call.ts";
import { httpResponseContent } from "../../../../contract/tools/http-request.ts";
import type { DataSource } from "../../../../contract/tools/process-data.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { loadSource, type Source } from "../../../tools/process-data/source.ts";
import type { Block } from "../language/literals.ts";

/** Something that was read: a page, an API's answer, or data of the prompt. */
export interface Page {
  /** Names it for process_data. */
  from: DataSource;
  callId: string | null;
  url: string;
  title: string;
  description: string;
  /** The HTTP status, where it is known. */
  status: number | null;
  headers: Record<string, string>;
  source: Source;
  cut: boolean;
  mediaType: string;
  /** Whether a real browser ran its JavaScript. */
  rendered: boolean;
  /** What did not work as it was opened. */
  notes: string[];
}

type Head = Omit<Page, "from" | "callId" | "source">;

const NO_HEAD: Head = {
  url: "",
  title: "",
  description: "",
  status: null,
  headers: {},
  cut: false,
  mediaType: "",
  rendered: false,
  notes: [],
};

function headOf(content: Json): Head {
  const page = pageContent.safeParse(content);
  if (page.success) {
    const {
      url,
      title,
      description = "",
      cut,
      mediaType,
      rendered = false,
      notes = [],
    } = page.data;
    return { ...NO_HEAD, url, title, description, cut, mediaType, rendered, notes };
  }
  const response = httpResponseContent.omit({ json: true }).safeParse(content);
  if (!response.success) return NO_HEAD;
  const { url, status, headers, cut, mediaType } = response.data;
  return { ...NO_HEAD, url, status, headers, cut, mediaType };
}

/** The page that a call answered, or why there is none to read. */
export function loadPage(
  callId: string,
  answer: ToolAnswer,
): { ok: true; page: Page } | { ok: false; message: string } {
  if (!answer.ok) return { ok: false, message: answer.error.message };
  const loaded = loadSource({ callId }, () => answer);
  const content: Json = isObject(answer.content) ? answer.content : {};
  const head = headOf(content);
  if (loaded.ok) {
    return { ok: true, page: { ...head, from: { callId }, callId, source: loaded.value } };
  }
  return { ok: false, message: loaded.error.message };
}

/** The page that a block of the prompt stands for. */
export function loadBlock(block: Block): Page | null {
  if (block.kind === "code") return null;
  const from: DataSource = { data: block.text, format: block.kind };
  const loaded = loadSource(from, () => null);
  if (!loaded.ok) return null;
  return { ...NO_HEAD, from, callId: null, source: loaded.value };
}

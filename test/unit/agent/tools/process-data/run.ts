import { processData } from "../../../../../src/agent/tools/process-data.ts";
import type { ToolResult } from "../../../../../src/agent/tools/tool.ts";
import type { ToolAnswer } from "../../../../../src/contract/tools/call.ts";
import {
  type DataContent,
  dataContent,
  processDataInput,
} from "../../../../../src/contract/tools/data.ts";
import type { PageContent } from "../../../../../src/contract/tools/web.ts";
import { toolContext } from "../support.ts";

/** The content of a page with nothing on it but what is given. */
export function pageContentOf(parts: Partial<PageContent>): PageContent {
  return {
    url: "https://shop.example/",
    mediaType: "text/html",
    title: "Shop",
    text: "",
    headings: [],
    links: [],
    tables: [],
    cut: false,
    ...parts,
  };
}

/** The tool's result for an input as a model gives it. */
export function run(
  input: unknown,
  earlier: Record<string, ToolAnswer> = {},
  context = toolContext({ earlier }),
): Promise<ToolResult> {
  return processData.run(processDataInput.parse(input), context);
}

/** What the tool answers; a refusal fails the test. */
export async function contentOf(
  input: unknown,
  earlier: Record<string, ToolAnswer> = {},
): Promise<DataContent> {
  const { answer } = await run(input, earlier);
  if (!answer.ok) throw new Error(answer.error.message);
  return dataContent.parse(answer.content);
}

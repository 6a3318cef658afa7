import type { Table } from "../../../contract/execution.ts";
import type { Json } from "../../../contract/json.ts";
import { type PageContent, pageContent } from "../../../contract/tools/browse.ts";
import {
  type HttpResponseContent,
  httpResponseContent,
} from "../../../contract/tools/http-request.ts";
import { mcpToolContent } from "../../../contract/tools/mcp.ts";
import { dataContent } from "../../../contract/tools/process-data.ts";
import { codeContent } from "../../../contract/tools/run-code.ts";
import type { ToolContext } from "../tool.ts";
import { type Made, made, notMade } from "./made.ts";

/** What an output or a file is made from, by where it comes from. */
export type Material =
  | { from: "value"; value: Json }
  | { from: "data"; table: Table }
  | { from: "page"; page: PageContent }
  | { from: "response"; response: HttpResponseContent }
  /** What code returned. */
  | { from: "code"; value: Json }
  /** What a tool of an MCP server answered: its JSON, or its text. */
  | { from: "remote"; value: Json };

/** What an earlier call answered, as material. */
export function earlierMaterial(callId: string, context: ToolContext): Made<Material> {
  const answer = context.earlier(callId);
  if (!answer) return notMade(`There is no earlier call ${callId}.`);
  if (!answer.ok) return notMade(`The call ${callId} failed, so it has nothing to hand over.`);
  const data = dataContent.safeParse(answer.content);
  if (data.success) {
    const { columns, rows } = data.data;
    return made({ from: "data", table: { columns, rows } });
  }
  const response = httpResponseContent.safeParse(answer.content);
  if (response.success) return made({ from: "response", response: response.data });
  const page = pageContent.safeParse(answer.content);
  if (page.success) return made({ from: "page", page: page.data });
  const code = codeContent.safeParse(answer.content);
  if (code.success) return made({ from: "code", value: code.data.value });
  const remote = mcpToolContent.safeParse(answer.content);
  if (remote.success) {
    return made({ from: "remote", value: remote.data.json ?? remote.data.text ?? "" });
  }
  return notMade(`The call ${callId} has no content that can be handed over.`);
}

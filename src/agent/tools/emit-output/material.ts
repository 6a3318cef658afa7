import type { Table } from "../../../contract/execution.ts";
import type { Json } from "../../../contract/json.ts";
import { type PageContent, pageContent } from "../../../contract/tools/browse.ts";
import type { EmitOutputInput } from "../../../contract/tools/emit-output.ts";
import {
  type HttpResponseContent,
  httpResponseContent,
} from "../../../contract/tools/http-request.ts";
import { dataContent } from "../../../contract/tools/process-data.ts";
import { codeContent } from "../../../contract/tools/run-code.ts";
import type { ToolContext } from "../tool.ts";
import { type Made, made, notMade } from "./made.ts";

/** What an output is made from, by where it comes from. */
export type Material =
  | { from: "value"; value: Json }
  | { from: "data"; table: Table }
  | { from: "page"; page: PageContent }
  | { from: "response"; response: HttpResponseContent }
  /** What code returned. */
  | { from: "code"; value: Json };

/** The one thing that a call names to make its output from: a value, or an earlier answer. */
export function materialOf(input: EmitOutputInput, context: ToolContext): Made<Material> {
  const { type, value, from } = input;
  if (input.url !== undefined) return notMade(`Only a link has a url; a ${type} has not.`);
  if (value !== undefined && from !== undefined) return notMade("Give either value or from.");
  if (from !== undefined) return earlierMaterial(from, context);
  if (value === undefined) return notMade(`A ${type} needs a value, or from with an earlier call.`);
  return made({ from: "value", value });
}

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
  return notMade(`The call ${callId} has no content that can be handed over.`);
}

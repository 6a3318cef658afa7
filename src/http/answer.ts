import type * as z from "zod";

/** What a handler hands back: a value of its answer's shape, or a response that is none of those. */
export type Reply<Value> = { value: Value; headers?: Record<string, string> } | Response;

/** Bodies by their media type. */
export type AnswerContent = Record<string, { schema: z.ZodType; example: unknown }>;

/** How a route answers when all goes well, and what the API document says of it. */
export interface AnswerRule<Value> {
  status: 200 | 201 | 202 | 204;
  description: string;
  content: AnswerContent;
  respond(value: Value, headers: Record<string, string>): Response;
}

/** A JSON answer of this shape. */
export function jsonAnswer<Schema extends z.ZodType>(
  status: 200 | 201 | 202,
  description: string,
  schema: Schema,
  example: z.output<Schema>,
): AnswerRule<z.output<Schema>> {
  return {
    status,
    description,
    content: { "application/json": { schema, example } },
    respond: (value, headers) => Response.json(value, { status, headers }),
  };
}

/** An answer without a body. */
export function noContent(description: string): AnswerRule<undefined> {
  return {
    status: 204,
    description,
    content: {},
    respond: (_, headers) => new Response(null, { status: 204, headers }),
  };
}

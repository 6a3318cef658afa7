import * as z from "zod";

/** Names as OpenAI takes them; it refuses a whole conversation for one bad name. */
const functionName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);

const parses = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const textParts = z.array(z.object({ type: z.literal("text"), text: z.string() })).min(1);
const content = z.union([z.string(), textParts]);
const image = z.strictObject({
  type: z.literal("image_url"),
  image_url: z.strictObject({
    url: z.string().regex(/^data:image\/(?:png|jpeg|gif|webp);base64,/),
  }),
});
const file = z.strictObject({
  type: z.literal("file"),
  file: z.strictObject({
    filename: z.string(),
    file_data: z.string().startsWith("data:application/pdf;base64,"),
  }),
});
const userContent = z.union([
  z.string(),
  z.array(z.union([z.object({ type: z.literal("text"), text: z.string() }), image, file])).min(1),
]);

const message = z.discriminatedUnion("role", [
  z.strictObject({ role: z.literal("system"), content }),
  z.strictObject({ role: z.literal("user"), content: userContent }),
  z.strictObject({
    role: z.literal("assistant"),
    content: z.string().nullable(),
    reasoning: z.string().optional(),
    reasoning_content: z.string().optional(),
    tool_calls: z
      .array(
        z.strictObject({
          id: z.string().min(1),
          type: z.literal("function"),
          function: z.strictObject({
            name: functionName,
            arguments: z.string().refine(parses, "is not JSON"),
          }),
          extra_content: z.looseObject({}).optional(),
        }),
      )
      .min(1)
      .optional(),
  }),
  z.strictObject({ role: z.literal("tool"), tool_call_id: z.string(), content: z.string() }),
]);

const chatRequest = z
  .object({
    model: z.string().min(1),
    messages: z.array(message).min(1),
    tools: z
      .array(
        z.strictObject({
          type: z.literal("function"),
          function: z.strictObject({
            name: functionName,
            description: z.string().optional(),
            parameters: z.looseObject({ type: z.literal("object") }),
          }),
        }),
      )
      .min(1)
      .optional(),
    reasoning_effort: z.enum(["none", "low", "medium", "high"]).optional(),
    tool_choice: z.enum(["auto", "none", "required"]).optional(),
    stream: z.boolean().optional(),
    stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
  })
  .superRefine(({ messages }, context) => {
    const problem = orderProblem(messages);
    if (problem) context.addIssue({ code: "custom", message: problem });
  });

/** A chat completions request, as far as this server takes it. */
export type ChatRequest = z.infer<typeof chatRequest>;
type Message = ChatRequest["messages"][number];

/** Reads a request as strictly as the strictest known server; `problem` says what is wrong. */
export function parseChatRequest(
  body: string,
): { ok: true; request: ChatRequest } | { ok: false; problem: string } {
  if (!parses(body)) return { ok: false, problem: "The body is not JSON." };
  const parsed = chatRequest.safeParse(JSON.parse(body));
  if (parsed.success) return { ok: true, request: parsed.data };
  return { ok: false, problem: z.prettifyError(parsed.error) };
}

/** Every tool call must be answered, once, before anything else is said. */
function orderProblem(messages: Message[]): string | null {
  const seen = new Set<string>();
  const open = new Set<string>();
  for (const message of messages) {
    if (message.role === "tool") {
      if (!open.delete(message.tool_call_id))
        return `${message.tool_call_id} answers no open call.`;
      continue;
    }
    if (open.size > 0) return `The calls ${[...open].join(", ")} are not answered.`;
    if (message.role !== "assistant") continue;
    for (const { id } of message.tool_calls ?? []) {
      if (seen.has(id)) return `The call id ${id} comes twice.`;
      seen.add(id);
      open.add(id);
    }
  }
  return open.size > 0 ? `The calls ${[...open].join(", ")} are not answered.` : null;
}

/** The user's own words in the first message, without the line on the state of the execution. */
export function promptOf({ messages }: Pick<ChatRequest, "messages">): string {
  const content = messages.find(({ role }) => role === "user")?.content ?? "";
  const text =
    typeof content === "string"
      ? content
      : content.map((part) => ("text" in part ? part.text : "")).join("");
  return text.split("\n\n[Step ")[0] ?? "";
}

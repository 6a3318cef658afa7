import * as z from "zod";

const cacheControl = z.strictObject({
  type: z.literal("ephemeral"),
  ttl: z.enum(["5m", "1h"]).optional(),
});
const marked = { cache_control: cacheControl.optional() };

const textBlock = z.strictObject({
  type: z.literal("text"),
  text: z.string().refine((text) => text.trim() !== "", "must contain non-whitespace text"),
  ...marked,
});
const id = z.string().regex(/^[a-zA-Z0-9_-]+$/);
const toolName = z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/);
const thinking = z.strictObject({
  type: z.literal("thinking"),
  thinking: z.string(),
  signature: z.string().min(1),
});
const toolUse = z.strictObject({
  type: z.literal("tool_use"),
  id,
  name: toolName,
  input: z.record(z.string(), z.unknown()),
  ...marked,
});
const toolResult = z.strictObject({
  type: z.literal("tool_result"),
  tool_use_id: id,
  content: z.union([z.string(), z.array(textBlock)]),
  is_error: z.boolean().optional(),
  ...marked,
});

const image = z.strictObject({
  type: z.literal("image"),
  source: z.strictObject({
    type: z.literal("base64"),
    media_type: z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"]),
    data: z.base64(),
  }),
  ...marked,
});

const document = z.strictObject({
  type: z.literal("document"),
  source: z.strictObject({
    type: z.literal("base64"),
    media_type: z.literal("application/pdf"),
    data: z.base64(),
  }),
  title: z.string().optional(),
  ...marked,
});

const message = z.discriminatedUnion("role", [
  z.strictObject({
    role: z.literal("user"),
    content: z.union([
      z.string().min(1),
      z.array(z.discriminatedUnion("type", [textBlock, toolResult, image, document])).min(1),
    ]),
  }),
  z.strictObject({
    role: z.literal("assistant"),
    content: z.union([
      z.string().min(1),
      z.array(z.discriminatedUnion("type", [textBlock, toolUse, thinking])).min(1),
    ]),
  }),
]);

const messagesRequest = z
  .strictObject({
    model: z.string().min(1),
    max_tokens: z.int().min(1),
    system: z.union([z.string().min(1), z.array(textBlock).min(1)]).optional(),
    messages: z.array(message).min(1),
    tools: z
      .array(
        z.strictObject({
          name: toolName,
          description: z.string().optional(),
          input_schema: z.looseObject({ type: z.literal("object") }),
          ...marked,
        }),
      )
      .min(1)
      .optional(),
    tool_choice: z.looseObject({ type: z.enum(["auto", "any", "tool", "none"]) }).optional(),
    stream: z.literal(true),
  })
  .superRefine((request, context) => {
    const problem = orderProblem(request.messages) ?? markProblem(request);
    if (problem) context.addIssue({ code: "custom", message: problem });
  });

/** A request to Anthropic's Messages API, as far as this server takes it. */
export type MessagesRequest = z.infer<typeof messagesRequest>;
type Message = MessagesRequest["messages"][number];

/** Reads a request as strictly as Anthropic does; `problem` says what is wrong. */
export function parseMessagesRequest(
  body: string,
): { ok: true; request: MessagesRequest } | { ok: false; problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { ok: false, problem: "The request body is not valid JSON." };
  }
  const parsed = messagesRequest.safeParse(value);
  if (parsed.success) return { ok: true, request: parsed.data };
  return { ok: false, problem: z.prettifyError(parsed.error) };
}

type Block = z.infer<
  | typeof textBlock
  | typeof toolUse
  | typeof toolResult
  | typeof thinking
  | typeof image
  | typeof document
>;

const blocksOf = ({ content }: Message): Block[] => (typeof content === "string" ? [] : content);

/** The user begins and the turns alternate; all calls are answered at once, before anything else. */
function orderProblem(messages: Message[]): string | null {
  const seen = new Set<string>();
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const at = `messages.${index}`;
    if (message.role !== (index % 2 === 0 ? "user" : "assistant")) {
      return `${at}: roles must alternate between "user" and "assistant", the first being "user"`;
    }
    let spoke = typeof message.content === "string";
    for (const block of blocksOf(message)) {
      if (block.type === "text") spoke = true;
      if (block.type !== "tool_result") continue;
      if (spoke) return `${at}: tool_result blocks must come first`;
      if (!open.delete(block.tool_use_id)) {
        return `${at}: unexpected \`tool_use_id\` ${block.tool_use_id}: it has no open tool_use`;
      }
    }
    if (open.size > 0) {
      return `${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${[...open].join(", ")}`;
    }
    const called = blocksOf(message).flatMap((block) =>
      block.type === "tool_use" ? [block.id] : [],
    );
    for (const callId of called) {
      if (seen.has(callId)) return `${at}: \`tool_use\` ids must be unique: ${callId}`;
      seen.add(callId);
    }
    open = new Set(called);
  }
  if (messages.at(-1)?.role !== "user") return "the conversation must end with a user message";
  return null;
}

function markProblem({
  system,
  tools,
  messages,
}: Pick<MessagesRequest, "system" | "tools" | "messages">) {
  const blocks = [system ?? [], tools ?? [], messages.flatMap(blocksOf)].flat();
  const marks = blocks.filter(
    (block) => typeof block === "object" && "cache_control" in block && block.cache_control,
  );
  if (marks.length <= 4) return null;
  return `A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`;
}

import type {
  JSONSchema7,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from "@ai-sdk/provider";
import type { ToolDescription } from "../../../contract/conversation.ts";
import type { Prompt, PromptMessage } from "../prompt/prompting.ts";

/** A prompt as the SDK's models take it. */
export function toSdkPrompt({ system, messages }: Prompt): LanguageModelV4Prompt {
  return [{ role: "system", content: system }, ...messages.map(toSdkMessage)];
}

function toSdkMessage(message: PromptMessage): LanguageModelV4Message {
  switch (message.role) {
    case "user":
      return { role: "user", content: [{ type: "text", text: message.text }] };
    case "assistant":
      return {
        role: "assistant",
        content: [
          // Anthropic refuses a whole conversation for a blank text.
          ...(message.text.trim() === "" ? [] : [{ type: "text" as const, text: message.text }]),
          ...message.calls.map(({ callId, tool, input }) => ({
            type: "tool-call" as const,
            toolCallId: callId,
            toolName: tool,
            input,
          })),
        ],
      };
    case "tool": {
      const output = { type: "text" as const, value: message.text };
      const result = { toolCallId: message.callId, toolName: message.tool, output };
      return { role: "tool", content: [{ type: "tool-result", ...result }] };
    }
  }
}

/** Tools for the SDK. Inputs are checked by the tools themselves, so the schemas pass as they are. */
export function toSdkTools(tools: ToolDescription[]): LanguageModelV4FunctionTool[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    name,
    description,
    inputSchema: inputSchema as JSONSchema7,
  }));
}

import { TAGS } from "../http/openapi/tags.ts";
import type { Route } from "../http/route.ts";

/**
 * Returns the API as plain Markdown for language models, at `/llms.txt` (https://llmstxt.org): what the
 * service is, and a line for each operation.
 */
export function llmsText(routes: readonly Route[], origin: string): string {
  const sections = TAGS.map(({ name, description }) => {
    const lines = routes
      .filter(({ tag }) => tag === name)
      .map(({ operationId, method, path, summary }) => {
        const address = path.replace(/:(\w+)/g, "{$1}");
        return `- [${summary}](${origin}/docs#${operationId}): \`${method} ${address}\``;
      });
    return `## ${name}\n\n${description}\n\n${lines.join("\n")}`;
  });
  return `# Prompthook

> Starts autonomous agents from a prompt or a webhook. An agent plans, opens web pages, calls APIs, runs code, writes spreadsheets and sends email. Its typed result is read by polling, as an event stream, or by a signed callback.

Requests carry \`Authorization: Bearer <API key>\` and, with a body, \`Content-Type: application/json\`. Errors are RFC 9457 problem details with a \`code\`. The whole contract is [the OpenAPI document](${origin}/openapi.json); the guides are Markdown, such as [the first steps](${origin}/docs/quickstart.md) and [webhooks](${origin}/docs/webhooks.md). Agents can use the service as tools over the Model Context Protocol at \`${origin}/mcp\`.

To run an agent: \`POST ${origin}/api/v1/agent/trigger\` with \`{"prompt": "…"}\`, then \`GET ${origin}/api/v1/agent/trigger/{executionId}/status?sinceVersion=0&waitSeconds=30\` until \`status\` is \`completed\`, \`failed\` or \`stopped\`, then \`GET …/result\`.

${sections.join("\n\n")}
`;
}

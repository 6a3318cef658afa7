import { readText, startServer } from "../server.ts";
import type { ModelServer } from "./server.ts";

/** Starts a server that lists models as Ollama does, each with its capabilities; `chat` has its calls. */
export const startOllamaList = (
  models: Record<string, readonly string[] | undefined>,
  chat: ModelServer,
) =>
  listing(chat, (path, body) => {
    if (path === "/api/tags") {
      return { models: Object.keys(models).map((name) => ({ name, model: name, size: 1 })) };
    }
    if (path !== "/api/show") return null;
    const { model } = JSON.parse(body) as { model: string };
    return { capabilities: models[model], details: { family: "qwen3" } };
  });

/** A model as LM Studio lists it. */
export interface StudioModel {
  key: string;
  type?: "llm" | "embedding";
  loaded?: boolean;
  tools?: boolean;
}

/** Starts a server that lists models as LM Studio 0.4 does; `chat` has its calls. */
export const startStudioList = (models: readonly StudioModel[], chat: ModelServer) =>
  listing(chat, (path) =>
    path === "/api/v1/models"
      ? {
          models: models.map(({ key, type = "llm", loaded = false, tools = true }) => ({
            type,
            key,
            publisher: "qwen",
            loaded_instances: loaded ? [{ id: key, config: { context_length: 32_000 } }] : [],
            ...(type === "llm" && { capabilities: { vision: false, trained_for_tool_use: tools } }),
          })),
        }
      : null,
  );

async function listing(chat: ModelServer, answer: (path: string, body: string) => object | null) {
  const paths: string[] = [];
  const server = await startServer(async (request, response) => {
    const path = request.url ?? "";
    paths.push(path);
    const body = await readText(request);
    const found = answer(path, body);
    if (found === null && path.startsWith("/v1/")) {
      const called = await fetch(chat.baseUrl + path.slice("/v1".length), { method: "POST", body });
      response.writeHead(called.status, {
        "Content-Type": called.headers.get("content-type") ?? "",
      });
      return response.end(await called.text());
    }
    response.writeHead(found === null ? 404 : 200, { "Content-Type": "application/json" });
    response.end(JSON.stringify(found ?? { error: "not found" }));
  });
  return { origin: server.origin, paths, close: server.close };
}

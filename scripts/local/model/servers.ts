import * as z from "zod";

/** A model that a server on this machine has. */
interface LocalModel {
  name: string;
  /** Whether it calls tools; undefined where the server does not say. */
  callsTools?: boolean | undefined;
}

/** A program that serves models, and how its models are listed. */
export interface LocalServer {
  name: "ollama" | "lmstudio";
  title: string;
  origin: string;
  /** Returns its models, or null where nothing answers as this program does. */
  list(): Promise<LocalModel[] | null>;
}

/** Models of a server that are looked at; the newest come first. */
const MOST_MODELS = 20;
const PATIENCE_MS = 2_000;

/** Returns the servers of this machine, with Ollama where its own variable OLLAMA_HOST says. */
export function localServers(
  ollamaHost: string | undefined,
  lmStudio = "http://127.0.0.1:1234",
): LocalServer[] {
  const ollama = ollamaOrigin(ollamaHost ?? "");
  return [
    ...(ollama === null
      ? []
      : [
          {
            name: "ollama" as const,
            title: "Ollama",
            origin: ollama,
            list: () => ollamaModels(ollama),
          },
        ]),
    {
      name: "lmstudio",
      title: "LM Studio",
      origin: lmStudio,
      list: () => lmStudioModels(lmStudio),
    },
  ];
}

/**
 * Returns the address that OLLAMA_HOST stands for, as Ollama reads it: scheme and port may be missing, and
 * the address of all interfaces is this machine. Returns null for what is no address.
 */
export function ollamaOrigin(host: string): string | null {
  const given = host.trim();
  const withHost = given.startsWith(":") ? `127.0.0.1${given}` : given || "127.0.0.1";
  const hasScheme = /^https?:\/\//.test(withHost);
  const text = hasScheme ? withHost : `http://${withHost}`;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "127.0.0.1";
  if (url.port === "" && !hasScheme) url.port = "11434";
  return url.origin;
}

const ollamaTags = z.object({ models: z.array(z.object({ name: z.string() })) });
/** Versions before 0.6.4 do not state capabilities. */
const ollamaModel = z.object({ capabilities: z.array(z.string()).optional() });

/** https://docs.ollama.com/api/tags and https://docs.ollama.com/api-reference/show-model-details */
async function ollamaModels(origin: string): Promise<LocalModel[] | null> {
  const tags = await read(`${origin}/api/tags`, ollamaTags);
  if (tags === null) return null;
  return await Promise.all(
    tags.models.slice(0, MOST_MODELS).map(async ({ name }) => {
      const shown = await read(`${origin}/api/show`, ollamaModel, { model: name });
      return { name, callsTools: shown?.capabilities?.includes("tools") };
    }),
  );
}

const lmStudioList = z.object({
  models: z.array(
    z.object({
      type: z.string(),
      key: z.string(),
      loaded_instances: z.array(z.unknown()).default([]),
      capabilities: z.object({ trained_for_tool_use: z.boolean().optional() }).optional(),
    }),
  ),
});

/** https://lmstudio.ai/docs/developer/rest/list: the loaded ones first, since others load for a minute. */
async function lmStudioModels(origin: string): Promise<LocalModel[] | null> {
  const list = await read(`${origin}/api/v1/models`, lmStudioList);
  if (list === null) return null;
  return list.models
    .filter(({ type }) => type === "llm")
    .sort((a, b) => b.loaded_instances.length - a.loaded_instances.length)
    .slice(0, MOST_MODELS)
    .map(({ key, capabilities }) => ({
      name: key,
      callsTools: capabilities?.trained_for_tool_use,
    }));
}

/** Returns a JSON response, or null where the server is absent or answers something else. */
async function read<Schema extends z.ZodType>(
  url: string,
  schema: Schema,
  body?: object,
): Promise<z.output<Schema> | null> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: "error",
      ...(body && {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
    return schema.safeParse(await response.json()).data ?? null;
  } catch {
    return null;
  }
}

import { callsTools, fails, says } from "../support/model-server/behaviour.ts";
import type { ChatRequest } from "../support/model-server/chat-request.ts";
import { type ModelServer, startModelServer } from "../support/model-server/server.ts";
import type { Task } from "./task.ts";

/** The name of the model that plays the tasks' solutions. */
export const SCRIPTED = "scripted";

/** Starts an OpenAI-compatible server whose model does each task by its solution. */
export async function startScriptedServer(tasks: readonly Task[]): Promise<ModelServer> {
  const server = await startModelServer({ record: false });
  server.script(SCRIPTED, ({ messages }) => {
    const prompt = textOf(messages.find(({ role }) => role === "user"));
    const task = tasks.find((each) => prompt.startsWith(each.prompt));
    if (task === undefined) return fails(400, "No task has this prompt.");
    const done = messages.filter(({ role }) => role === "assistant").length;
    const step = task.solution[done];
    return step === undefined ? says("I have nothing more to do.") : callsTools(...step);
  });
  return server;
}

function textOf(message: ChatRequest["messages"][number] | undefined): string {
  const content = message?.content ?? "";
  return typeof content === "string"
    ? content
    : content.map((part) => ("text" in part ? part.text : "")).join("\n");
}

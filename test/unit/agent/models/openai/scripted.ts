import { expect } from "vitest";
import { factsOf, NAMED_MODELS } from "../../../../../src/agent/models/catalogue.ts";
import { openAiModel } from "../../../../../src/agent/models/openai.ts";
import { windowOf } from "../../../../../src/agent/models/prompt/budget.ts";
import {
  ModelError,
  type ModelReply,
  type Turn,
} from "../../../../../src/contract/conversation.ts";
import { modelRequest, never } from "../../../../support/model-request.ts";
import type { Behaviour } from "../../../../support/model-server/behaviour.ts";
import type { ModelServer } from "../../../../support/model-server/server.ts";

/** The key that the server of these tests asks for. */
export const API_KEY = "sk-test-0123456789";
export const WINDOW = windowOf(factsOf(NAMED_MODELS.openai.name).contextWindow);

/** The model of the server that does as its script says. */
export const scriptedModel = (server: ModelServer, apiKey = API_KEY) =>
  openAiModel("openai/scripted", { baseUrl: server.baseUrl, apiKey }, WINDOW);

/** What is read from one answer of the server. */
export function replyOf(
  server: ModelServer,
  behaviour: Behaviour,
  ...more: Turn[]
): Promise<ModelReply> {
  server.script("scripted", [behaviour]);
  return scriptedModel(server).respond(modelRequest(...more), never());
}

/** The error that one answer of the server comes to. */
export async function failureOf(server: ModelServer, behaviour: Behaviour): Promise<ModelError> {
  const error = await replyOf(server, behaviour).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ModelError);
  return error as ModelError;
}

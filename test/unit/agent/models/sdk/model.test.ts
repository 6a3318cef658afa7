import type { LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from "@ai-sdk/provider";
import { expect, it } from "vitest";
import { factsOf } from "../../../../../src/agent/models/catalogue.ts";
import { windowOf } from "../../../../../src/agent/models/prompt/budget.ts";
import { RefusedRequestError } from "../../../../../src/agent/models/sdk/http.ts";
import { sdkModel } from "../../../../../src/agent/models/sdk/model.ts";
import type { ModelRequest, Turn } from "../../../../../src/contract/conversation.ts";
import { modelRequest, never } from "../../../../support/model-request.ts";

const says = (text: string): LanguageModelV4GenerateResult => ({
  content: [{ type: "text", text }],
  finishReason: { unified: "stop", raw: "stop" },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  },
  warnings: [],
});

/** A model of Workers AI whose server refuses what `refuses` says. */
function modelThat(refuses: (call: LanguageModelV4CallOptions) => boolean) {
  const calls: LanguageModelV4CallOptions[] = [];
  const model = sdkModel({
    name: "workers-ai/test",
    window: windowOf(factsOf("workers-ai/test").contextWindow),
    secrets: [],
    async send(call) {
      calls.push(call);
      if (refuses(call)) throw new RefusedRequestError("5006: Type mismatch");
      return says("ok");
    },
  });
  return { calls, model };
}

const outputSchema = { type: "object", properties: { price: { type: "number" } } };
const data = { ...outputSchema, description: "The result." };
const finish = {
  name: "finish",
  description: "Ends the task.",
  inputSchema: { type: "object", properties: { data } },
  hasOutputSchema: true,
};
const asked: ModelRequest = { ...modelRequest(), outputSchema, tools: [finish] };

it("sends the output schema as text only if the binding refuses it as parameters", async () => {
  const { calls, model } = modelThat(({ tools }) => JSON.stringify(tools).includes("price"));
  for (const _ of [1, 2]) {
    expect(await model.respond(asked, never())).toMatchObject({ text: "ok" });
  }
  const told = calls.map(({ prompt, tools }) =>
    [prompt, tools].map((part) => JSON.stringify(part).includes("price")),
  );
  expect(told).toEqual([
    [true, true],
    [true, false],
    [true, false],
  ]);
});

it("fails if the request is refused without extras too, and tries extras again later", async () => {
  const { calls, model } = modelThat(() => true);
  await expect(model.respond(asked, never())).rejects.toThrow("5006");
  await expect(model.respond(asked, never())).rejects.toThrow("5006");
  const shown = calls.map(({ tools }) => JSON.stringify(tools).includes("price"));
  expect(shown).toEqual([true, false, true, false]);
});

it("sends a refused request without extras once", async () => {
  const { calls, model } = modelThat(() => true);
  const turn: Turn = { role: "assistant", text: "Hm.", calls: [] };
  await expect(model.respond(modelRequest(turn), never())).rejects.toThrow("5006");
  expect(calls).toHaveLength(1);
});

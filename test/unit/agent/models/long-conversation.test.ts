import { afterEach, describe, expect, it } from "vitest";
import { anthropicModel } from "../../../../src/agent/models/anthropic.ts";
import { openAiModel } from "../../../../src/agent/models/openai.ts";
import type { ModelWindow } from "../../../../src/agent/models/prompt/budget.ts";
import type { Model, ModelReply, Turn } from "../../../../src/contract/conversation.ts";
import { STEP_START } from "../../../support/execution.ts";
import { modelRequest, never } from "../../../support/model-request.ts";
import { startAnthropicServer } from "../../../support/model-server/anthropic.ts";
import { call, callsTools } from "../../../support/model-server/behaviour.ts";
import { startModelServer } from "../../../support/model-server/server.ts";

const STEPS = 24;
/** As small as any model that can work with tools. */
const SMALL: ModelWindow = { context: 24_000, answer: 6_000 };
const WIDE: ModelWindow = { context: 200_000, answer: 16_384 };

const behaviour = () =>
  callsTools(
    call("browse", { url: "https://example.com" }),
    call("process_data", { text: "a long input ".repeat(100) }),
  );

/** Works through many steps, each with two long answers, as the loop does; fails if any call does. */
async function work(model: Model): Promise<ModelReply["usage"][]> {
  const turns: Turn[] = [];
  const usages: ModelReply["usage"][] = [];
  for (let step = 0; step < STEPS; step++) {
    const { text, calls, usage } = await model.respond(modelRequest(...turns), never());
    usages.push(usage);
    turns.push({ role: "assistant", text, calls, start: STEP_START });
    for (const { callId, tool } of calls) {
      const content = { page: `${step} ${"數據 <b>text</b> ".repeat(800)}` };
      turns.push({ role: "tool", callId, tool, answer: { ok: true, content } });
    }
    if (step % 10 === 9) turns.push({ role: "user", text: `Go on after step ${step}.` });
  }
  return usages;
}

let close = async () => {};
afterEach(() => close());

describe("a conversation of many long steps", () => {
  it("never exceeds a small window", async () => {
    const server = await startModelServer({ window: SMALL.context - SMALL.answer });
    close = server.close;
    server.script("m", behaviour);
    const { baseUrl } = server;
    await work(openAiModel("m", { baseUrl, apiKey: undefined }, SMALL));

    // None was refused: then there would have been a second request with half of it.
    expect(server.requests).toHaveLength(STEPS);
    const last = JSON.stringify(server.requests.at(-1)?.body);
    expect(last).toContain("List the links of https://example.com");
    for (const step of [9, 19]) expect(last).toContain(`Go on after step ${step}.`);
    expect(last).toContain(`${STEPS - 2} 數據`);
  });

  it("never exceeds a wide window, and is mostly read from Anthropic's cache, though it is shortened on the way", async () => {
    const server = await startAnthropicServer({ window: WIDE.context - WIDE.answer });
    close = server.close;
    server.script("m", behaviour);
    const usages = await work(anthropicModel("m", { baseUrl: server.baseUrl, apiKey: "k" }, WIDE));
    expect(server.requests).toHaveLength(STEPS);
    const total = JSON.stringify(server.requests.at(-1)?.body).length;
    expect(total).toBeLessThan(300_000);
    const isCached = ({ cachedTokens, inputTokens }: ModelReply["usage"]) =>
      cachedTokens > 0.6 * inputTokens;
    expect(usages.filter(isCached).length).toBeGreaterThan(STEPS / 2);

    // Where old steps were shortened, what was short before is still read from the cache.
    const read = usages.map(({ cachedTokens }) => cachedTokens);
    const kept = read.filter((tokens, step) => tokens < (read[step - 1] ?? 0));
    expect(kept.length).toBeGreaterThan(2);
    expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b));
  });
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { anthropicModel } from "../../../../src/agent/models/anthropic.ts";
import { factsOf, NAMED_MODELS } from "../../../../src/agent/models/catalogue.ts";
import { windowOf } from "../../../../src/agent/models/prompt/budget.ts";
import { ModelError, type ModelReply, type Turn } from "../../../../src/contract/conversation.ts";
import { STEP_START } from "../../../support/execution.ts";
import {
  imageFile,
  modelRequest,
  never,
  requestOfFiles,
  requestWithFiles,
  step,
  tools,
} from "../../../support/model-request.ts";
import { startAnthropicServer } from "../../../support/model-server/anthropic.ts";
import {
  type Behaviour,
  call,
  callsTools,
  fails,
  refuses,
  says,
} from "../../../support/model-server/behaviour.ts";

const API_KEY = "sk-ant-test-0123456789";
const NAME = NAMED_MODELS.anthropic.name.slice("anthropic/".length);

let server: Awaited<ReturnType<typeof startAnthropicServer>>;
beforeEach(async () => {
  server = await startAnthropicServer({ apiKey: API_KEY });
});
afterEach(() => server.close());

const model = (apiKey = API_KEY, baseUrl = server.baseUrl) =>
  anthropicModel(
    `anthropic/${NAME}`,
    { baseUrl, apiKey },
    windowOf(factsOf(`anthropic/${NAME}`).contextWindow),
  );

function respond(behaviour: Behaviour, ...more: Turn[]): Promise<ModelReply> {
  server.script(NAME, [behaviour]);
  return model().respond(modelRequest(...more), never());
}

async function failure(behaviour: Behaviour): Promise<ModelError> {
  const error = await respond(behaviour).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ModelError);
  return error as ModelError;
}

it.each([
  [refuses("This may help to attack a computer."), ": This may help to attack a computer."],
  [refuses("It may be misused.", "First,"), ": It may be misused. It had written: First,"],
  [refuses(""), "."],
])("a refused reply fails with the provider's explanation", async (refusal, said) => {
  expect(await failure(refusal)).toMatchObject({
    retryable: false,
    message: `The model refused${said}`,
  });
});

describe("a request", () => {
  it("has the key, the version, the output limit and the tools", async () => {
    await respond(says("ok"));
    const [seen] = server.requests;
    expect(seen?.headers["x-api-key"]).toBe(API_KEY);
    expect(seen?.headers["anthropic-version"]).toBe("2023-06-01");
    expect(seen?.body.max_tokens).toBe(16_384);
    expect(
      seen?.body.tools?.map(({ name, description, input_schema }) => ({
        name,
        description,
        inputSchema: input_schema,
      })),
    ).toEqual(tools);
  });

  it("alternates turns and puts answers after their calls, whatever came between", async () => {
    const reply = await respond(
      says("ok"),
      {
        role: "assistant",
        text: " \n",
        calls: [
          { callId: "c1", tool: "browse", input: { url: "https://example.com" } },
          { callId: "c2", tool: "no such/tool", input: "not JSON" },
        ],
      },
      { role: "user", text: "Hurry up." },
      { role: "tool", callId: "c1", tool: "browse", answer: { ok: true, content: { title: "T" } } },
      { role: "user", text: "Now!" },
    );
    expect(reply.text).toBe("ok");
    const [, assistant, user] = server.requests[0]?.body.messages ?? [];
    expect(assistant?.content).toMatchObject([
      { type: "tool_use", id: "c1" },
      { type: "tool_use", id: "c2", name: "no_such_tool", input: { unreadable: "not JSON" } },
    ]);
    expect(user?.content).toMatchObject([
      { type: "tool_result", tool_use_id: "c1" },
      { type: "tool_result", tool_use_id: "c2" },
      { type: "text", text: expect.stringMatching(/^Hurry up\.\n\nNow!\n\n\[Step 1 of 30;/) },
    ]);
  });
});

it("has the images of the last answers after all of them", async () => {
  server.script(NAME, [says("A chart.")]);
  await model().respond(requestWithFiles(imageFile()), never());
  const { content } = server.requests[0]?.body.messages.at(-1) ?? {};
  expect(content).toMatchObject([
    { type: "tool_result", tool_use_id: "drawn" },
    { type: "image", source: { media_type: "image/png", data: btoa("pixels") } },
    { type: "text", text: expect.stringMatching(/^\[Before this line: the 1 image of .*Step 1/s) },
  ]);
});

it("has the images and PDF files of the task before it, in each step", async () => {
  server.script(NAME, [says("One."), says("Two.")]);
  const asked = requestOfFiles("image/png", "application/pdf", "application/zip");
  await model().respond(asked, never());
  await model().respond({ ...asked, turns: [...asked.turns, ...step("c1", "page")] }, never());
  const [first, second] = server.requests.map(({ body }) => body.messages[0]?.content);
  expect(first).toMatchObject([
    { type: "image", source: { media_type: "image/png", data: btoa("1") } },
    { type: "document", source: { media_type: "application/pdf", data: btoa("2") } },
    { type: "text", text: expect.stringMatching(/file_2: .*shown before.*file_3: .*cannot read/s) },
  ]);
  expect(second?.slice(0, 2)).toEqual(first?.slice(0, 2));
});

describe("a model's thinking", () => {
  it("is sent back with its signature, before the text and calls of its reply", async () => {
    const thought = { type: "thinking", thinking: "I should look.", signature: "c2lnbmVk" };
    const looks = { type: "tool_use", id: "toolu_1", name: "browse", input: {} };
    const first = { ...callsTools(call("browse", {}, "toolu_1")), thoughts: "I should look." };
    server.script(NAME, [first, says("ok")]);
    const { text, calls, reasoning = [] } = await model().respond(modelRequest(), never());
    const [, answer] = step("toolu_1", "page");
    const turns: Turn[] = [
      { role: "assistant", text, calls, reasoning },
      ...(answer ? [answer] : []),
    ];
    expect(await model().respond(modelRequest(...turns), never())).toMatchObject({ text: "ok" });
    expect(server.requests[1]?.body.messages[1]?.content).toEqual([
      thought,
      expect.objectContaining(looks),
    ]);
  });
});

describe("the prompt cache", () => {
  /** Plays replies one after another, each call answered with a page. */
  async function play(replies: Behaviour[]): Promise<ModelReply["usage"][]> {
    server.script(NAME, replies);
    const turns: Turn[] = [];
    const usages: ModelReply["usage"][] = [];
    for (const _ of replies) {
      const { usage, text, calls } = await model().respond(modelRequest(...turns), never());
      usages.push(usage);
      turns.push({ role: "assistant", text, calls, start: STEP_START });
      for (const { callId, tool } of calls) {
        turns.push({ role: "tool", callId, tool, answer: { ok: true, content: "p".repeat(500) } });
      }
    }
    return usages;
  }

  it("covers the conversation of the last step, and counts in the input", async () => {
    const [first, second, third] = await play([
      callsTools(call("browse", {})),
      callsTools(call("browse", {})),
      says("Done."),
    ]);
    expect(first?.cachedTokens).toBe(0);
    expect(second?.cachedTokens).toBe(first?.inputTokens);
    expect(third?.cachedTokens).toBe(second?.inputTokens);
    expect(third?.inputTokens).toBeGreaterThan(third?.cachedTokens ?? 0);
  });

  it("is found after a step with more calls than the lookback", async () => {
    const many = Array.from({ length: 32 }, () => call("browse", {}));
    const [first, second] = await play([callsTools(...many), says("Done.")]);
    expect(second?.cachedTokens).toBe(first?.inputTokens);
  });

  it("shares the tools and instructions between conversations", async () => {
    server.script(NAME, [says("one"), says("two")]);
    await model().respond(modelRequest(), never());
    const other = { ...modelRequest(), turns: [{ role: "user", text: "Another task." } as const] };
    const { usage } = await model().respond(other, never());
    expect(usage.cachedTokens).toBeGreaterThan(100);
    expect(usage.cachedTokens).toBeLessThan(usage.inputTokens);
  });
});

it("a wrong key is not quoted, even if the server quotes it", async () => {
  const wrong = await model("sk-ant-wrong")
    .respond(modelRequest(), never())
    .catch((thrown: unknown) => thrown);
  expect(wrong).toMatchObject({
    retryable: false,
    message: "The model's server does not accept the API key (401): invalid x-api-key: [key]",
  });
  expect((await failure(fails(400, `bad key ${API_KEY}`))).message).toContain("bad key [key]");
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NAMED_MODELS } from "../../../../src/agent/models/catalogue.ts";
import { openAiModel } from "../../../../src/agent/models/openai.ts";
import type { Turn } from "../../../../src/contract/conversation.ts";
import {
  imageFile,
  never,
  modelRequest as request,
  requestOfFiles,
  requestWithFiles,
  tools,
} from "../../../support/model-request.ts";
import {
  answersRaw,
  type Behaviour,
  fails,
  hangs,
  says,
} from "../../../support/model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "../../../support/model-server/server.ts";
import { API_KEY, replyOf, scriptedModel, WINDOW } from "./openai/scripted.ts";

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer({ apiKey: API_KEY });
});
afterEach(() => server.close());

/** A model that reads images and PDF files. */
const SEEING = NAMED_MODELS.openai.name.slice("openai/".length);
const named = (id: string) => openAiModel(`openai/${id}`, { ...server, apiKey: API_KEY }, WINDOW);
const model = () => scriptedModel(server);
const respond = (behaviour: Behaviour, ...more: Turn[]) => replyOf(server, behaviour, ...more);

describe("a request", () => {
  it("has the agent's role, the user's task and the available tools", async () => {
    await respond(says("ok"));
    const [seen] = server.requests;
    expect(seen?.headers.authorization).toBe(`Bearer ${API_KEY}`);
    expect(seen?.body.messages[0]).toMatchObject({ role: "system" });
    expect(seen?.body.messages[1]).toEqual({
      role: "user",
      content: expect.stringMatching(
        /^List the links of https:\/\/example\.com\n\n\[Step 1 of 30;/,
      ),
    });
    expect(seen?.body.tools?.map((tool) => tool.function)).toEqual(
      tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        parameters: inputSchema,
      })),
    );
  });

  it("has calls and answers in a form that a strict server accepts", async () => {
    const reply = await respond(
      says("ok"),
      {
        role: "assistant",
        text: "First the page.",
        calls: [
          { callId: "c1", tool: "browse", input: { url: "https://example.com" } },
          { callId: "c2", tool: "no such/tool", input: "not JSON" },
        ],
      },
      { role: "user", text: "Hurry up." },
      { role: "tool", callId: "c1", tool: "browse", answer: { ok: true, content: { title: "T" } } },
    );
    expect(reply.text).toBe("ok");
    const [, , assistant, first, second, user] = server.requests[0]?.body.messages ?? [];
    expect(assistant).toMatchObject({
      content: "First the page.",
      tool_calls: [{ id: "c1" }, { id: "c2", function: { name: "no_such_tool" } }],
    });
    expect(first).toMatchObject({ role: "tool", tool_call_id: "c1" });
    expect(first?.content).toContain('{"title":"T"}');
    expect(second).toMatchObject({ role: "tool", tool_call_id: "c2" });
    expect(second?.content).toContain("not_run");
    expect(user).toMatchObject({ role: "user", content: expect.stringMatching(/^Hurry up\./) });
  });

  it("turns thinking off permanently for a model that cannot call tools with it", async () => {
    server.script("scripted", ({ tools: sent = [], reasoning_effort: effort }) =>
      sent.length > 0 && effort !== "none"
        ? fails(
            400,
            "Function tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
          )
        : says("ok"),
    );
    expect(await model().respond(request(), never())).toMatchObject({ text: "ok" });
    expect(await model().respond(request(), never())).toMatchObject({ text: "ok" });
    const efforts = server.requests.map(({ body }) => body.reasoning_effort);
    expect(efforts).toEqual([undefined, "none", "none"]);
  });

  it("has the images of the last answers if the model reads images", async () => {
    server.script(SEEING, () => says("A chart."));
    server.script("scripted", () => says("No idea."));
    const asked = requestWithFiles(imageFile(), imageFile("image/svg+xml"));
    await named(SEEING).respond(asked, never());
    await named("scripted").respond(asked, never());
    const [seen, blind] = server.requests.map(({ body }) => body.messages.at(-1)?.content);
    const url = `data:image/png;base64,${btoa("pixels")}`;
    const text = expect.stringMatching(/^\[Before this line: the 1 image of the last answers/);
    expect(seen).toEqual([
      { type: "image_url", image_url: { url } },
      { type: "text", text },
    ]);
    expect(blind).not.toContain("Before this line");
  });

  it("has the PDF files of the task if the model reads them, else their text", async () => {
    const asked = requestOfFiles("application/pdf", "text/plain");
    const sent = async (id: string) => {
      server.script(id, () => says("ok"));
      await named(id).respond(asked, never());
      return server.requests.at(-1)?.body.messages[1]?.content;
    };
    expect(await sent(SEEING)).toMatchObject([
      { type: "file", file: { filename: "1", file_data: `data:application/pdf;base64,MQ==` } },
      { type: "text", text: expect.stringContaining("file_2") },
    ]);
    expect(await sent("scripted")).toMatch(/file_1: .*which you cannot read.*\n2\n/s);
  });

  it("is retried without images if the server refuses them", async () => {
    server.script(SEEING, ({ messages }) =>
      JSON.stringify(messages).includes("image_url") ? fails(400, "No images.") : says("ok"),
    );
    const reply = await named(SEEING).respond(requestWithFiles(imageFile()), never());
    expect(reply.text).toBe("ok");
    expect(server.requests).toHaveLength(2);
  });
});

describe("a model's reasoning", () => {
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const thinks = (thought: object): Behaviour => {
    const asked = { id: "c1", type: "function", function: { name: "browse", arguments: "{}" } };
    const message = { role: "assistant", content: null, tool_calls: [asked], ...thought };
    const choices = [{ index: 0, message, finish_reason: "tool_calls" }];
    const head = { id: "1", object: "chat.completion", created: 1, model: "m" };
    return answersRaw(JSON.stringify({ ...head, choices, usage }));
  };
  const signed = (signature: string) => ({ google: { thought_signature: signature } });

  /** What the second request sends of the first reply. */
  async function sentBack(first: Behaviour) {
    server.script("scripted", [first, says("ok")]);
    const { text, calls, reasoning } = await model().respond(request(), never());
    const turn: Turn = { role: "assistant", text, calls, ...(reasoning && { reasoning }) };
    const answer = {
      role: "tool",
      callId: "c1",
      tool: "browse",
      answer: { ok: true, content: "page" },
    } as const;
    expect(await model().respond(request(turn, answer), never())).toMatchObject({ text: "ok" });
    return server.requests.at(-1)?.body.messages[2];
  }

  it("is sent back in the usual field, if there is any", async () => {
    const message = await sentBack(thinks({ reasoning_content: "I should look." }));
    expect(message).toMatchObject({ role: "assistant", reasoning_content: "I should look." });
    expect(await sentBack(thinks({}))).not.toHaveProperty("reasoning_content");
  });

  it("is omitted if the server refuses it", async () => {
    server.script("scripted", (asked) =>
      JSON.stringify(asked.messages).includes("reasoning_content")
        ? fails(400, "property 'reasoning_content' is unsupported")
        : says("ok"),
    );
    const turn: Turn = { role: "assistant", text: "Hm.", calls: [], reasoning: [{ text: "Hm?" }] };
    expect(await model().respond(request(turn), never())).toMatchObject({ text: "ok" });
  });

  it("is sent back as the signature of a call if the server sent one", async () => {
    const asked = {
      id: "c1",
      type: "function",
      function: { name: "browse", arguments: "{}" },
      extra_content: signed("sig-1"),
    };
    const message = await sentBack(thinks({ tool_calls: [asked] }));
    expect(message).toMatchObject({ tool_calls: [{ extra_content: signed("sig-1") }] });
  });
});

describe("an abort", () => {
  it("ends the call with the signal's reason and closes the connection", async () => {
    server.script("scripted", [hangs()]);
    const controller = new AbortController();
    const arrived = server.nextRequest();
    const reply = model().respond(request(), controller.signal);
    const seen = await arrived;
    const reason = new Error("stopped by the user");
    controller.abort(reason);

    await expect(reply).rejects.toBe(reason);
    await seen.disconnected;
  });

  it("before the call sends nothing", async () => {
    const reason = new Error("stopped before");
    await expect(model().respond(request(), AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(server.requests).toEqual([]);
  });
});

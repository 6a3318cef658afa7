import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { anthropicModel } from "../../../../../src/agent/models/anthropic.ts";
import { googleModel } from "../../../../../src/agent/models/google.ts";
import { openAiModel } from "../../../../../src/agent/models/openai.ts";
import { windowOf } from "../../../../../src/agent/models/prompt/budget.ts";
import { type Model, ModelError } from "../../../../../src/contract/conversation.ts";
import { modelRequest, never, step } from "../../../../support/model-request.ts";
import { startAnthropicServer } from "../../../../support/model-server/anthropic.ts";
import {
  type Behaviour,
  breaksOff,
  call,
  callsTools,
  endsIn,
  fails,
  refuses,
  says,
  slowDown,
} from "../../../../support/model-server/behaviour.ts";
import { startGeminiServer } from "../../../../support/model-server/google.ts";
import { startOllamaServer } from "../../../../support/model-server/ollama.ts";
import { startModelServer } from "../../../../support/model-server/server.ts";

const apiKey = "test-key-0123456789";
const WINDOW = windowOf(128_000);

/** A server with its API's real format, and a model of it that does what is scripted. */
interface Wire {
  model: Model;
  script(behaviour: Behaviour): void;
  close(): Promise<void>;
}

interface Scripted {
  baseUrl: string;
  script(model: string, behaviours: Behaviour[]): void;
  close(): Promise<void>;
}

async function wireOf<Server extends Scripted>(
  starting: Promise<Server>,
  modelOf: (server: Server) => Model,
): Promise<Wire> {
  const server = await starting;
  return {
    model: modelOf(server),
    script: (behaviour) => server.script("scripted", [behaviour]),
    close: server.close,
  };
}

const PROVIDERS: Record<string, () => Promise<Wire>> = {
  OpenAI: () =>
    wireOf(startModelServer({ apiKey }), (server) =>
      openAiModel("openai/scripted", { ...server, apiKey }, WINDOW),
    ),
  Anthropic: () =>
    wireOf(startAnthropicServer({ apiKey }), (server) =>
      anthropicModel("anthropic/scripted", { ...server, apiKey }, WINDOW),
    ),
  Google: () =>
    wireOf(startGeminiServer({ apiKey }), (server) =>
      googleModel("google/scripted", { ...server, apiKey }, WINDOW),
    ),
  Ollama: () =>
    wireOf(startOllamaServer(), (server) =>
      openAiModel("ollama/scripted", { ...server, apiKey: undefined }, WINDOW),
    ),
};

/** What the user sees of one call: the text while it was written, and then the reply or the error. */
async function seenOf({ model, script }: Wire, behaviour: Behaviour) {
  script(behaviour);
  const pieces: string[] = [];
  let isAnswered = false;
  const watch = {
    answered: () => {
      isAnswered = true;
    },
    wrote: (text: string) => void pieces.push(text),
  };
  const outcome = await model.respond(modelRequest(), never(), watch).catch((error: unknown) => {
    if (!(error instanceof ModelError)) throw error;
    const { message, retryable, isUnusable, retryAfterMs } = error;
    return { message, retryable, isUnusable, retryAfterMs };
  });
  return { written: pieces.join(""), pieces: pieces.length, isAnswered, outcome };
}

const browse = (url: string) => call("browse", { url, note: 'with {braces} and "quotes"' });
const overloaded = endsIn(fails(529, "Overloaded"));

/** Scenarios with what the user sees, which is the same with every provider unless it says otherwise. */
const SCENARIOS: [string, Behaviour, object, Partial<Record<string, object>>?][] = [
  [
    "a text in pieces appears piece by piece",
    says("The answer is 42, said the model."),
    { written: "The answer is 42, said the model.", pieces: expect.toSatisfy((n) => n > 3) },
  ],
  [
    "parallel calls whose JSON came in parts are told apart",
    callsTools(browse("https://a.example"), browse("https://b.example")),
    {
      written: "",
      outcome: {
        calls: [
          { tool: "browse", input: { url: "https://a.example" } },
          { tool: "browse", input: { url: "https://b.example" } },
        ],
      },
    },
  ],
  [
    "thoughts are kept, and not shown as text",
    { kind: "reply", text: "Four.", calls: [], thoughts: "Two and two." },
    { written: "Four.", outcome: { text: "Four.", reasoning: [{ text: "Two and two." }] } },
  ],
  [
    "a refusal ends with its reason",
    refuses("I can't help with that."),
    { outcome: { retryable: false, message: expect.stringMatching(/^The model refused/) } },
  ],
  [
    "a text cut at the output limit is no result",
    breaksOff("The first half of"),
    { outcome: { fault: expect.stringMatching(/^Your reply was cut off at the output limit/) } },
  ],
  [
    "a connection that breaks is tried again",
    endsIn("broken"),
    {
      isAnswered: true,
      outcome: {
        retryable: true,
        message: "The model's server could not be reached, or the connection was lost.",
      },
    },
  ],
  [
    "a stream that is closed too early is tried again",
    endsIn("closed"),
    { outcome: { retryable: true, message: "The model's reply broke off before its end." } },
  ],
  [
    "an error in the middle of a stream is tried again",
    overloaded,
    { outcome: { retryable: true, message: expect.stringMatching(/overloaded|failed|broke off/) } },
  ],
  [
    "a 429 waits for as long as the server asks",
    slowDown(7),
    {
      isAnswered: false,
      outcome: {
        retryable: true,
        retryAfterMs: 7_000,
        message: "The model's server asks to slow down (429): Rate limit reached",
      },
    },
  ],
  [
    "a 529 is tried again",
    fails(529, "Overloaded"),
    { outcome: { retryable: true, message: "The model's server is overloaded (529): Overloaded" } },
  ],
  [
    "a refused key lets another model be asked",
    fails(401, "No such key"),
    {
      outcome: {
        retryable: false,
        isUnusable: true,
        message: "The model's server does not accept the API key (401): No such key",
      },
    },
  ],
  [
    "an unknown model lets another be asked",
    fails(404, "No such model"),
    { outcome: { isUnusable: true, message: expect.stringContaining("(404): No such model") } },
  ],
  [
    "a refused request ends, and lets no other be asked",
    fails(400, "No temperature"),
    {
      outcome: {
        retryable: false,
        isUnusable: false,
        message: "The model's server refused the request (400): No temperature",
      },
    },
  ],
  [
    "a reply without usage counts no tokens",
    { kind: "reply", text: "Free.", calls: [], countsTokens: false },
    { outcome: { text: "Free.", usage: { outputTokens: 0 } } },
    { Anthropic: { outcome: { text: "Free.", usage: { outputTokens: 20 } } } },
  ],
];

describe.each(Object.entries(PROVIDERS))("with %s", (name, start) => {
  let wire: Wire;
  beforeEach(async () => {
    wire = await start();
  });
  afterEach(() => wire.close());

  it.each(SCENARIOS)("%s", async (_, behaviour, usual, special = {}) => {
    expect(await seenOf(wire, behaviour)).toMatchObject(special[name] ?? usual);
  });

  it("the answers to parallel calls are accepted", async () => {
    wire.script(says("Both are read."));
    const [first, ...answers] = [...step("a", "one"), ...step("b", "two")];
    if (first?.role !== "assistant") throw new Error("a step begins with a reply");
    const parallel = answers.flatMap((turn) => (turn.role === "assistant" ? turn.calls : []));
    const turns = answers.filter(({ role }) => role === "tool");
    const request = modelRequest({ ...first, calls: [...first.calls, ...parallel] }, ...turns);
    expect(await wire.model.respond(request, never())).toMatchObject({ text: "Both are read." });
  });

  it("a stream that is silent for 60 seconds is retried", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const time = setInterval(() => vi.advanceTimersByTime(10_000), 10);
    const { outcome } = await seenOf(wire, endsIn("silent"));
    clearInterval(time);
    vi.useRealTimers();
    expect(outcome).toMatchObject({
      retryable: true,
      message: "The model's server sent nothing for 60 seconds in the middle of its reply.",
    });
  });
});

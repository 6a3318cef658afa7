import { expect, it } from "vitest";
import * as z from "zod";
import { AGENT, callsOf, newAccount } from "../../support/worker/client.ts";
import { newDestination } from "../../support/worker/destinations.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";
import { newEndpoint } from "../../support/worker/webhooks.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const traceparent = `00-${TRACE}-${SPAN}-01`;
const span = z.looseObject({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(z.object({ key: z.string(), value: z.unknown() })),
});
const request = z.object({
  resourceSpans: z.tuple([z.object({ scopeSpans: z.tuple([z.object({ spans: z.array(span) })]) })]),
});

const spansOf = ({ body }: { body: string }) =>
  request.parse(JSON.parse(body)).resourceSpans[0].scopeSpans[0].spans;

it("the trace of an execution continues that of its trigger, and propagates to calls and the callback", async () => {
  const headers = { Authorization: "Bearer of-the-collector" };
  const { apiKey, receiver } = await newDestination({ format: "otlp", content: true, headers });
  const site = mailbox();
  const callback = mailbox();
  const prompt = promptOf(
    { calls: [{ tool: "http_request", input: { method: "GET", url: site.url } }] },
    { finish: { summary: "Done." } },
  );
  const body = { prompt, model: "openai/scripted", callbackUrl: callback.url };
  await callsOf(apiKey).post(`${AGENT}/trigger`, body, { traceparent });
  const [letter] = await receiver.letters(1);
  expect(letter?.headers.authorization).toBe(headers.Authorization);
  const spans = spansOf(letter ?? { body: "" });
  const [root] = spans;
  expect(root).toMatchObject({ traceId: TRACE, parentSpanId: SPAN, name: "invoke_agent" });
  expect(spans.slice(1).map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
    ["chat openai/scripted", root?.spanId],
    ["execute_tool http_request", root?.spanId],
    ["chat openai/scripted", root?.spanId],
  ]);
  const called = spans[2];
  const keys = called?.attributes.map(({ key }) => key);
  expect(keys).toContain("gen_ai.tool.call.arguments");
  const [visit] = await site.letters(1);
  expect(visit?.headers.traceparent).toBe(`00-${TRACE}-${called?.spanId}-01`);
  const [answer] = await callback.letters(1);
  expect(answer?.headers.traceparent).toBe(`00-${TRACE}-${root?.spanId}-01`);
});

it("the traces of a batch continue that of its request", async () => {
  const { apiKey, receiver } = await newDestination({ format: "otlp" });
  const prompt = promptOf({ finish: { summary: "Done." } });
  const body = { executions: [{ prompt, model: "openai/scripted" }] };
  await callsOf(apiKey).post(`${AGENT}/trigger/batch`, body, { traceparent });
  const [letter] = await receiver.letters(1);
  const [root] = spansOf(letter ?? { body: "" });
  expect(root).toMatchObject({ traceId: TRACE, parentSpanId: SPAN });
});

it("the trace of a webhook's execution continues that of the webhook, without content unless requested", async () => {
  const account = await newAccount();
  const { receiver } = await newDestination({ format: "otlp" }, account);
  const endpoint = await newEndpoint({}, [], account);
  const prompt = promptOf(
    { calls: [{ tool: "http_request", input: { method: "GET", url: mailbox().url } }] },
    { finish: { summary: "Done." } },
  );
  const path = `/api/v1/workflows/${endpoint.workflowId}`;
  await account.patch(path, { model: "openai/scripted", prompt });
  await endpoint.take({}, { headers: { traceparent } });
  const [letter] = await receiver.letters(1);
  const spans = spansOf(letter ?? { body: "" });
  expect(spans[0]).toMatchObject({ traceId: TRACE, parentSpanId: SPAN, name: "invoke_agent look" });
  expect(letter?.body).not.toContain("gen_ai.tool.call.arguments");
});

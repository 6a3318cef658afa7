import { expect, test } from "vitest";
import { plan, planner } from "../../../../../src/agent/models/planner/planner.ts";
import { describeTools, requestOf, run } from "./support/run.ts";

const PRODUCTS = "http://shop.test/products";

test("opens several pages in one reply", async () => {
  const { replies } = await run("Get the titles of http://a.test/ and http://b.test/");
  expect(replies[0]?.calls.map((call) => call.tool)).toEqual(["browse", "browse"]);
});

test("numbers its calls by their order in the conversation", async () => {
  const { calls } = await run(`Count the products on ${PRODUCTS}`);
  expect(calls.map((call) => call.callId)).toEqual(["call_1", "call_2", "call_3"]);
});

test("gives the same reply to the same request", async () => {
  const { turns } = await run(`List the products on ${PRODUCTS} by price`);
  const request = requestOf(turns.slice(0, 3));
  expect(await planner.respond(request, new AbortController().signal)).toEqual(plan(request));
});

test("answers a trivial prompt in one step", async () => {
  const { replies, finish } = await run("Say hello");
  expect(replies).toHaveLength(1);
  expect(finish.summary).toBe("hello");
});

test("does what a page says only when the user said it", async () => {
  const { opened, finish } = await run("Get the email from http://evil.test/");
  expect(opened).toEqual(["http://evil.test/"]);
  expect(finish.data).toEqual(["a@evil.test"]);
});

test("does not call a tool that is not allowed", async () => {
  const { finish, calls } = await run(`Sum the prices on ${PRODUCTS}`, {
    tools: ["browse", "finish"],
  });
  expect(calls.map((call) => call.tool)).toEqual(["browse", "finish"]);
  expect(finish).toMatchObject({
    status: "failed",
    summary: expect.stringContaining("process_data"),
  });
});

test("reads pages with http_request where browse is not allowed", async () => {
  const tools = ["http_request", "process_data", "finish"];
  const { finish } = await run(`What is the average price on ${PRODUCTS}?`, { tools });
  expect(finish.data).toBe(54.88);
});

test("asks what to work on where it may ask, and goes on with the answer", async () => {
  const messages = [{ afterStep: 1, text: PRODUCTS }];
  const { finish, calls } = await run("Find the cheapest product", { interactive: true, messages });
  expect(calls[0]?.tool).toBe("ask_user");
  expect(finish.data).toMatchObject({ Product: "Blue Mug" });
});

test("asks only once", async () => {
  const messages = [{ afterStep: 1, text: "no idea" }];
  const { finish, calls } = await run("Find the cheapest product", { interactive: true, messages });
  expect(calls.map((call) => call.tool)).toEqual(["ask_user", "finish"]);
  expect(finish.status).toBe("failed");
});

test("stops at 20 pages and says so", async () => {
  const links = Array.from({ length: 30 }, (_, at) => `<a href="/p/${at}">Page ${at}</a>`).join(
    " ",
  );
  const pages = Array.from({ length: 30 }, (_, at) => [
    `http://big.test/p/${at}`,
    { body: `<title>T${at}</title>` },
  ]);
  const site = { "http://big.test/": { body: links }, ...Object.fromEntries(pages) };
  const { opened, finish } = await run("Follow every link on http://big.test/ and get the title", {
    site,
  });
  expect(opened).toHaveLength(20);
  expect(finish.summary).toContain("20 pages at most");
});

test("ends when no answer to a call ever comes", () => {
  const user = { role: "user" as const, text: `Get the title of ${PRODUCTS}` };
  const lost = (callId: string) => ({
    role: "assistant" as const,
    text: "",
    calls: [{ callId, tool: "browse", input: { url: PRODUCTS } }],
  });
  const reply = plan(requestOf([user, lost("call_1"), lost("call_2")]));
  expect(reply.calls[0]).toMatchObject({ tool: "finish", input: { status: "failed" } });
});

test("ends with the reason when its result was not accepted", () => {
  const reply = plan(
    requestOf([
      { role: "user", text: "Say hello" },
      {
        role: "assistant",
        text: "",
        calls: [{ callId: "call_1", tool: "finish", input: { summary: "hello" } }],
      },
      {
        role: "tool",
        callId: "call_1",
        tool: "finish",
        answer: { ok: false, error: { code: "schema", message: "no number" } },
      },
    ]),
  );
  expect(reply.calls[0]?.input).toMatchObject({
    status: "failed",
    summary: expect.stringContaining("no number"),
  });
});

test("describes its step in a sentence", () => {
  const reply = plan({
    ...requestOf([{ role: "user", text: `Open ${PRODUCTS}` }]),
    tools: describeTools(["browse", "finish"]),
  });
  expect(reply.text).toContain(PRODUCTS);
});

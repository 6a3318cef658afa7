import { beforeEach, describe, expect, it } from "vitest";
import { type SearchClient, searchWeb } from "../../../../src/agent/tools/search-web.ts";
import { createToolset } from "../../../../src/agent/tools/toolset.ts";
import { TOOL_NAMES } from "../../../../src/contract/tools/names.ts";
import { parseSettings } from "../../../../src/env.ts";
import { createSearchClient } from "../../../../src/outbound/search.ts";
import { NOTHING_FOUND, ownTools } from "../../../support/own-tools.ts";
import { startSearchServer } from "../../../support/search-server.ts";
import { untilEnd } from "../../../support/until-end.ts";
import { toolContext } from "./support.ts";

const PAGES = [
  {
    title: "Acorn & Co's prices",
    url: "https://acorn.example/pricing",
    text: "Team <small>: $12 a month.\u200b\n  Since 2020.",
    published: "2026-10-01T00:00:00",
  },
  { title: "Birch", url: "https://birch.example/plans", text: "$15" },
  { title: "Birch again", url: "https://birch.example/plans", text: "$16" },
  { title: "A script", url: "javascript:alert(1)", text: "" },
  { title: "Cedar", url: "https://cedar.example/", text: "$9" },
];

const server = await untilEnd(startSearchServer(PAGES));
beforeEach(() => {
  server.answerWith(null);
  server.queries.length = 0;
});

const variablesOf = (provider: string, key = server.key): Record<string, string> => {
  if (provider === "searxng") return { SEARXNG_URL: server.searxng.replace(server.key, key) };
  return provider === "brave"
    ? { BRAVE_API_KEY: key, BRAVE_BASE_URL: `${server.brave}/` }
    : { TAVILY_API_KEY: key, TAVILY_BASE_URL: server.tavily };
};

/** Searches as a deployment with these variables does. */
async function search(
  variables: Record<string, string>,
  raw: object = { query: "saas pricing" },
  options: { signal?: AbortSignal } = {},
) {
  const client = createSearchClient(parseSettings(variables));
  if (client === null) throw new Error("No search provider is configured.");
  const tool = searchWeb(client);
  return await tool.run(tool.input.parse(raw), toolContext(options));
}

const PROVIDERS = ["searxng", "brave", "tavily"];

describe.each(PROVIDERS)("%s", (provider) => {
  it("returns distinct pages that can be opened, with texts without markup and line breaks", async () => {
    const { answer } = await search(variablesOf(provider));
    const published = provider === "tavily" ? {} : { published: "2026-10-01T00:00:00" };
    expect(answer).toEqual({
      ok: true,
      content: {
        provider,
        query: "saas pricing",
        results: [
          {
            title: "Acorn & Co's prices",
            url: "https://acorn.example/pricing",
            snippet: "Team <small>: $12 a month. Since 2020.",
            ...published,
          },
          { title: "Birch", url: "https://birch.example/plans", snippet: "$15" },
          { title: "Cedar", url: "https://cedar.example/", snippet: "$9" },
        ],
      },
    });
    expect(server.queries).toEqual(["saas pricing"]);
  });

  it("returns at most the requested number of results, and none if there are none", async () => {
    const { answer } = await search(variablesOf(provider), { query: "saas", count: 1 });
    expect(answer).toMatchObject({ content: { results: [{ title: "Acorn & Co's prices" }] } });
    server.answerWith({ status: 200, body: { type: "search", results: [] } });
    const nothing = await search(variablesOf(provider));
    expect(nothing.answer).toMatchObject({ ok: true, content: { results: [] } });
  });

  it("names the variable to check when the credential is refused, without showing it", async () => {
    const { answer, price } = await search(variablesOf(provider, "wrong-key"));
    const variable = provider === "searxng" ? "SEARXNG_URL" : `${provider.toUpperCase()}_API_KEY`;
    expect(answer).toMatchObject({
      ok: false,
      error: { code: "search_refused", message: expect.stringContaining(variable) },
    });
    expect(JSON.stringify(answer)).not.toContain("wrong-key");
    expect(price).toBe(0);
  });

  it("redacts a credential that the answer repeats", async () => {
    const text = `key=${server.key}`;
    const result = { title: "Echo", url: "https://echo.example/", content: text };
    const body = {
      type: "search",
      results: [result],
      web: { results: [{ ...result, description: text }] },
    };
    server.answerWith({ status: 200, body });
    const { answer } = await search(variablesOf(provider));
    expect(answer).toMatchObject({ content: { results: [{ snippet: "key=[redacted]" }] } });
  });

  it.each([
    [{ status: 429, headers: { "retry-after": "7" } }, "rate_limited", "in 7 seconds"],
    [{ status: 503 }, "search_unavailable", "503"],
    [{ status: 302, headers: { location: "https://evil.example/" } }, "search_refused", "302"],
    [{ status: 200, body: { results: "none" } }, "search_unavailable", "documented form"],
    [{ status: 200 }, "search_unavailable", "documented form"],
  ])("reports %j as %s and costs nothing", async (instead, code, message) => {
    server.answerWith(instead);
    const { answer, price } = await search(variablesOf(provider));
    expect(answer).toMatchObject({
      ok: false,
      error: { code, message: expect.stringContaining(message) },
    });
    expect(price).toBe(0);
  });
});

it("explains that the instance must allow JSON", async () => {
  server.answerWith({ status: 403 });
  const { answer } = await search(variablesOf("searxng"));
  expect(answer).toMatchObject({ error: { message: expect.stringContaining("search.formats") } });
});

it("sends Brave no more words than it accepts", async () => {
  const query = Array.from({ length: 60 }, (_, word) => `w${word}`).join(" ");
  await search(variablesOf("brave"), { query });
  expect(server.queries).toEqual([query.split(" ").slice(0, 50).join(" ")]);
});

it("ends as soon as its execution is stopped", async () => {
  server.answerWith("hang");
  const stop = new AbortController();
  const searching = search(variablesOf("tavily"), { query: "slow" }, { signal: stop.signal });
  stop.abort(new Error("stopped"));
  await expect(searching).rejects.toThrow("stopped");
});

it("is available only if a provider is configured", () => {
  const namesWith = (search: SearchClient | null) =>
    createToolset({
      tools: TOOL_NAMES,
      interactive: false,
      own: ownTools({ search }),
      remote: [],
      outputSchema: null,
    }).names;
  expect(namesWith(NOTHING_FOUND)).toContain("search_web");
  expect(namesWith(null)).not.toContain("search_web");
  expect(createSearchClient(parseSettings({}))).toBeNull();
});

it("asks SearXNG first, then Brave, if several are configured", () => {
  const all = { ...variablesOf("searxng"), ...variablesOf("brave"), ...variablesOf("tavily") };
  expect(createSearchClient(parseSettings(all))?.provider).toBe("searxng");
  const { SEARXNG_URL: _, ...others } = all;
  expect(createSearchClient(parseSettings(others))?.provider).toBe("brave");
});

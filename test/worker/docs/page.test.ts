import { Parser } from "htmlparser2";
import { beforeAll, describe, expect, it } from "vitest";
import { PROBLEMS } from "../../../src/contract/problem.ts";
import { hookRoutes } from "../../../src/http/hook-routes.ts";
import { routes } from "../../../src/http/routes.ts";
import { newAccount, ORIGIN, send } from "../../support/worker/client.ts";
import { connectMcp } from "../../support/worker/mcp-client.ts";

let page: Page;
beforeAll(async () => {
  page = read(await (await send("/docs")).text());
});

interface Page {
  ids: string[];
  links: string[];
  /** What the page loads. */
  loaded: string[];
  tags: Set<string>;
  attributes: Set<string>;
}

/** What a browser would find in this text. */
function read(html: string): Page {
  const found: Page = {
    ids: [],
    links: [],
    loaded: [],
    tags: new Set(),
    attributes: new Set(),
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      found.tags.add(name);
      for (const attribute of Object.keys(attributes)) found.attributes.add(attribute);
      const { id, href, src } = attributes;
      if (id !== undefined) found.ids.push(id);
      if (name === "a") found.links.push(href ?? "");
      if (name === "link" || name === "script") found.loaded.push(href ?? src ?? "");
    },
  });
  parser.end(html);
  return found;
}

describe("the page", () => {
  it("may be kept for a while, and runs nothing but files of ours", async () => {
    const { status, headers } = await send("/docs");
    expect(status).toBe(200);
    expect(headers.get("Content-Type")).toBe("text/html; charset=UTF-8");
    expect(headers.get("Cache-Control")).toBe("public, max-age=300");
    const policy = headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toContain("unsafe");
  });

  it("has a form for language models that names every operation", async () => {
    const response = await send("/llms.txt");
    expect(response.headers.get("Content-Type")).toMatch(/^text\/plain/);
    const text = await response.text();
    for (const { operationId, summary } of routes) {
      expect(text).toContain(`[${summary}](${ORIGIN}/docs#${operationId})`);
    }
  });

  it("loads its scripts and styles from here", async () => {
    expect(page.loaded.length).toBeGreaterThan(3);
    for (const address of page.loaded) {
      expect(address).toMatch(/^\/dashboard\/assets\//);
      expect((await send(address)).status, address).toBe(200);
    }
  });

  it("has no style and no script in itself", () => {
    expect(page.tags).not.toContain("style");
    expect([...page.attributes].filter((name) => /^(?:style|on)/.test(name))).toEqual([]);
  });

  it("answers to HEAD without its text", async () => {
    const response = await send("/docs", { method: "HEAD" });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
  });

  it("shows commands for the address that the reader came to", async () => {
    const html = await (await send("/docs")).text();
    expect(html).toContain(`curl &quot;${ORIGIN}/api/v1/agent/trigger&quot;`);
  });
});

describe("what it says of the service as a tool of other agents", () => {
  it("names the tools that these find, and how a client finds them", async () => {
    const html = await (await send("/docs")).text();
    const { client } = await connectMcp((await newAccount()).apiKey);
    const guide = /<section id="guide-mcp">.*?<\/section>/s.exec(html)?.[0] ?? "";
    const named = [...guide.matchAll(/<dt><code>(\w+)<\/code>/g)].map(([, name]) => name);
    expect(named).toEqual((await client.listTools()).tools.map(({ name }) => name));
    expect(guide).toContain(`&quot;url&quot;: &quot;${ORIGIN}/mcp&quot;`);
  });
});

describe("what it says of a field", () => {
  const sectionOf = async (id: string) => {
    const html = await (await send("/docs")).text();
    return new RegExp(`<article[^>]* id="${id}".*?</article>`, "s").exec(html)?.[0] ?? "";
  };
  const values = (...all: string[]) =>
    `one of ${all.map((value) => `<code>&quot;${value}&quot;</code>`).join(", ")}`;

  it("has its values, also where it may be null, and those of an object by its values", async () => {
    expect(await sectionOf("updateEndpoint")).toContain(values("skip", "run"));
    expect(await sectionOf("createEndpoint")).toContain(values("string", "number", "integer"));
  });
});

describe("its anchors", () => {
  it.each(Object.keys(PROBLEMS))("lead to the error code %s", (code) => {
    expect(page.ids).toContain(`problem-${code}`);
  });

  it.each([...hookRoutes, ...routes].map(({ operationId }) => operationId))(
    "lead to the operation %s",
    (id) => {
      expect(page.ids).toContain(id);
      expect(page.links).toContain(`#${id}`);
    },
  );

  it("are each there once", () => {
    const twice = page.ids.filter((id, at) => page.ids.indexOf(id) !== at);
    expect(twice).toEqual([]);
  });

  it("are there for every link within the page", () => {
    const within = page.links.filter((link) => link.startsWith("#"));
    expect(within.length).toBeGreaterThan(100);
    expect(within.filter((link) => !page.ids.includes(link.slice(1)))).toEqual([]);
  });

  it("are not needed by links that leave it, which lead somewhere", async () => {
    const leaving = new Set(page.links.filter((link) => link.startsWith("/")));
    for (const link of leaving) {
      expect((await send(link)).status, link).toBeLessThan(400);
    }
  });
});

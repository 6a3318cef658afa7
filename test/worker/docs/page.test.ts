import { Parser } from "htmlparser2";
import { describe, expect, it } from "vitest";
import { routes } from "../../../src/http/routes.ts";
import { newAccount, ORIGIN, send } from "../../support/worker/client.ts";
import { connectMcp } from "../../support/worker/mcp-client.ts";

/** What a browser would find in a page. */
function read(html: string) {
  const links: string[] = [];
  const loaded: string[] = [];
  const inline: string[] = [];
  let script = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      const { href, src } = attributes;
      if (name === "a") links.push(href ?? "");
      if (name === "link" || name === "script") loaded.push(href ?? src ?? "");
      if (name === "style") inline.push(name);
      inline.push(...Object.keys(attributes).filter((each) => /^(?:style|on)/.test(each)));
      script = name === "script";
    },
    ontext(text) {
      if (script) inline.push(text);
    },
    onclosetag() {
      script = false;
    },
  });
  parser.end(html);
  return { links, loaded, inline };
}

const PAGES = ["/docs", "/docs/quickstart", "/docs/errors", "/docs/architecture"];

describe("a page of the documentation", () => {
  it.each(PAGES)("is cacheable, and loads only files of the service: %s", async (path) => {
    const response = await send(path);
    const { status, headers } = response;
    expect(status).toBe(200);
    expect(headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(headers.get("Cache-Control")).toBe("public, max-age=300");
    expect(headers.get("Content-Security-Policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get("X-Request-Id")).not.toBeNull();
    const { loaded, inline } = read(await response.text());
    expect(inline).toEqual([]);
    expect(loaded.length).toBeGreaterThan(3);
    for (const address of loaded) {
      expect(address).toMatch(/^\/docs\/assets\/[\w-]+\.[0-9a-f]{12}\.\w+$/);
      const { status, headers } = await send(address);
      expect(status, address).toBe(200);
      expect(headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
      expect(headers.get("Content-Type")).toMatch(/^(?:text\/css|text\/javascript|image\/svg)/);
    }
    const head = await send(path, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  it("has only valid links", async () => {
    const pages = await Promise.all(PAGES.map(async (path) => (await send(path)).text()));
    const links = new Set(pages.flatMap((html) => read(html).links));
    for (const link of links) {
      if (link.startsWith("/")) expect((await send(link)).status, link).toBeLessThan(400);
    }
  });
});

describe("the documentation", () => {
  it("has each guide as Markdown", async () => {
    const { status, headers } = await send("/docs/errors.md");
    expect(status).toBe(200);
    expect(headers.get("Content-Type")).toBe("text/markdown; charset=utf-8");
  });

  it("has no other pages", async () => {
    const paths = [
      "/docs/nothing",
      "/docs/index.html",
      "/docs/assets/x.js",
      "/docs/..%2f..%2fdocs",
    ];
    for (const path of paths) expect((await send(path)).status, path).toBe(404);
  });

  it("has an llms.txt that names every operation", async () => {
    const response = await send("/llms.txt");
    expect(response.headers.get("Content-Type")).toMatch(/^text\/plain/);
    const text = await response.text();
    for (const { operationId, summary } of routes) {
      expect(text).toContain(`[${summary}](${ORIGIN}/docs#${operationId})`);
    }
  });

  it("names the tools for other agents", async () => {
    const text = await (await send("/docs/mcp.md")).text();
    const { client } = await connectMcp((await newAccount()).apiKey);
    const named = [...text.matchAll(/^\| (`.+?`) +\|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    expect(named).toEqual((await client.listTools()).tools.map(({ name }) => name));
  });
});

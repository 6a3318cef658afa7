import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browse } from "../../../../src/agent/tools/browse.ts";
import { browseInput, pageContent } from "../../../../src/contract/tools/browse.ts";
import { startServer, type TestServer } from "../../../support/server.ts";
import { type Site, startSite } from "../../../support/site/server.ts";
import { toolContext } from "./support.ts";

let site: Site;
let odd: TestServer;

beforeAll(async () => {
  site = await startSite();
  odd = await startServer((request, response) => {
    const type = { "/none": "", "/xhtml": "application/xhtml+xml", "/latin": "text/html" };
    const path = request.url as keyof typeof type;
    if (type[path]) response.setHeader("content-type", type[path]);
    if (path === "/latin") response.end(Buffer.from('<meta charset="latin1"><p>caf\xe9', "latin1"));
    else if (request.url === "/big") response.end("<p>word</p>".repeat(400_000));
    else if (request.url === "/empty") response.writeHead(204).end();
    else response.end("<title>Odd</title><p>odd");
  });
});

afterAll(() => Promise.all([site.close(), odd.close()]));

async function open(url: string, signal?: AbortSignal) {
  const input = browse.input.parse({ url });
  const { answer, url: from } = await browse.run(input, toolContext(signal ? { signal } : {}));
  return { from, answer, page: answer.ok ? pageContent.parse(answer.content) : null };
}

describe("a page", () => {
  it("is read with its links and tables", async () => {
    const { page, from } = await open(`${site.origin}/prices`);
    expect(from).toBe(`${site.origin}/prices`);
    expect(page).toMatchObject({ title: "Price list", mediaType: "text/html", cut: false });
    expect(page?.tables).toHaveLength(1);
    expect(page?.tables[0]).toMatchObject({ caption: "Loose tea" });
    expect(page?.tables[0]?.rows[0]).toEqual([
      "Lighthouse Breakfast",
      "black",
      "Assam",
      "€6.50",
      "100 g",
      "42",
    ]);
    expect(page?.links).toContainEqual({ text: "CSV file", url: `${site.origin}/teas.csv` });
    expect(page?.text).toContain("| Tea | Kind | Origin | Price | Weight | Stock |");
  });

  it("leads through its links to every other page", async () => {
    const seen = new Set<string>();
    const queue = [`${site.origin}/`];
    for (const url of queue) {
      if (seen.has(url) || !url.startsWith(site.origin)) continue;
      seen.add(url);
      const { page } = await open(url);
      queue.push(...(page?.links ?? []).map((link) => link.url));
    }
    const paths = [...seen].map((url) => url.slice(site.origin.length));
    expect(paths).toEqual(
      expect.arrayContaining(["/prices", "/journal?page=3", "/contact", "/teas/fog-bell"]),
    );
  });

  it("is named by the address that it was redirected to", async () => {
    const { page, from } = await open(`${site.origin}/old`);
    expect(from).toBe(`${site.origin}/`);
    expect(page).toMatchObject({ url: `${site.origin}/`, title: "Harbour Lane Tea" });
  });

  it("keeps what it hides to itself", async () => {
    const { page } = await open(`${site.origin}/reviews`);
    expect(page?.text).toContain("Ignore all previous instructions");
    expect(page?.text).not.toContain("SYSTEM");
  });

  it("is read in the encoding that it declares, or without a type", async () => {
    expect((await open(`${odd.origin}/latin`)).page?.text).toBe("café");
    expect((await open(`${odd.origin}/none`)).page?.title).toBe("Odd");
    expect((await open(`${odd.origin}/xhtml`)).page?.mediaType).toBe("application/xhtml+xml");
  });

  it("that is too long is cut", async () => {
    expect((await open(`${odd.origin}/big`)).page).toMatchObject({ cut: true });
  });

  it("that is empty is read as such", async () => {
    expect((await open(`${odd.origin}/empty`)).page).toMatchObject({ text: "", cut: false });
  });
});

it.each([
  ["/api/products.json", "application/json", /^\{\s+"shop"/],
  ["/teas.csv", "text/csv", /^name,kind,origin/],
  ["/hours.txt", "text/plain", /^Tuesday/],
])("reads %s as the text that it is", async (path, mediaType, text) => {
  const { page } = await open(`${site.origin}${path}`);
  expect(page).toMatchObject({ mediaType, text: expect.stringMatching(text), links: [] });
});

describe("answers with the reason why it could not:", () => {
  it.each([
    ["/nowhere", "http_error", "answered with status 404"],
    ["/logo.png", "unsupported_media_type", "is image/png, which cannot be read as text"],
    ["/away?to=http://10.0.0.1/", "address_refused", "private or reserved"],
  ])("%s", async (path, code, message) => {
    const { answer } = await open(`${site.origin}${path}`);
    expect(answer).toEqual({
      ok: false,
      error: { code, message: expect.stringContaining(message) },
    });
  });
});

it("throws when it is aborted", async () => {
  const controller = new AbortController();
  const pending = open(`${site.origin}/slow?ms=60000`, controller.signal);
  controller.abort(new Error("stopped"));
  await expect(pending).rejects.toThrow("stopped");
});

it("only reads, and says what it opens", () => {
  const input = browseInput.parse({ url: "https://example.com/" });
  expect(browse.effect(input)).toBeNull();
  expect(browse.describe(input)).toBe("Opening https://example.com/");
});

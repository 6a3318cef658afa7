import { describe, expect, it } from "vitest";
import type { RenderedPage, Renderer } from "../../../../src/agent/tools/browse.ts";
import { browse } from "../../../../src/agent/tools/browse.ts";
import { browseInput, pageContent } from "../../../../src/contract/tools/web.ts";
import { OutboundError } from "../../../../src/ports/fetch.ts";
import { startServer } from "../../../support/server.ts";
import { startSite } from "../../../support/site/server.ts";
import { untilEnd } from "../../../support/until-end.ts";
import { toolContext } from "./support.ts";

const site = await untilEnd(startSite());
const odd = await untilEnd(
  startServer((request, response) => {
    const type = { "/none": "", "/xhtml": "application/xhtml+xml", "/latin": "text/html" };
    const path = request.url as keyof typeof type;
    if (type[path]) response.setHeader("content-type", type[path]);
    if (path === "/latin") response.end(Buffer.from('<meta charset="latin1"><p>caf\xe9', "latin1"));
    else if (request.url === "/big") response.end("word ".repeat(500_000));
    else if (request.url === "/empty") response.writeHead(204).end();
    else if (request.url === "/app") response.end("<title>Odd app</title><script>start()</script>");
    else if (request.url === "/framed") response.end("<script>start()</script><iframe src=/x>");
    else response.end("<title>Odd</title><p>odd");
  }),
);

async function open(url: string, signal?: AbortSignal) {
  const input = browseInput.parse({ url });
  const context = toolContext(signal ? { signal } : {});
  const { answer, url: from, cut } = await browse(null).run(input, context);
  return { from, answer, cut, page: answer.ok ? pageContent.parse(answer.content) : null };
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

  it("is read in the encoding that it declares, or without a type", async () => {
    expect((await open(`${odd.origin}/latin`)).page?.text).toBe("café");
    expect((await open(`${odd.origin}/none`)).page?.title).toBe("Odd");
    expect((await open(`${odd.origin}/xhtml`)).page?.mediaType).toBe("application/xhtml+xml");
  });

  it("that is too long is cut, and says at which position", async () => {
    const { page, cut } = await open(`${odd.origin}/big`);
    expect(page).toMatchObject({ cut: true, cutAt: "2 MiB" });
    expect(cut).toBe("2 MiB");
    expect((await open(`${site.origin}/prices`)).cut).toBeNull();
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
    ["/nowhere", "http_error", "returned status 404"],
    [
      "/logo.png",
      "unsupported_media_type",
      "has the media type image/png, which cannot be read as text",
    ],
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

describe("a browser", () => {
  const input = (fields: object) => browseInput.parse({ url: `${odd.origin}/app`, ...fields });
  const rendering: RenderedPage = {
    url: "https://example.com/",
    html: "<title>Made</title><p>by scripts",
    notes: [],
  };
  const runWith = (renderer: Renderer | null, fields: object) =>
    browse(renderer).run(input(fields), toolContext({}));
  const busy = new OutboundError("browser_busy", "All browsers are in use.");
  const failing: Renderer = { render: () => Promise.reject(busy) };

  it("costs credits only if there is one and it may be used", () => {
    const price = (fields: object, isThere: boolean) =>
      browse(isThere ? failing : null).price?.(input(fields));
    const readsOn = browseInput.parse({ callId: "page", offset: 1 });
    expect(browse(failing).price?.(readsOn)).toBe(1);
    expect(price({}, true)).toBe(2);
    expect(price({ render: "always" }, true)).toBe(2);
    expect(price({ render: "never" }, true)).toBe(1);
    expect(price({ render: "always" }, false)).toBe(1);
  });

  it("is described without the secrets of an address", () => {
    const url = "https://a.example/x?page=2&token=abc";
    const described = browse(null).describe(browseInput.parse({ url }));
    expect(described).toBe("Opening https://a.example/x?page=2&token=[redacted]");
  });

  it("that is missing is an error if it was requested, else a note", async () => {
    const needed = await runWith(null, { render: "always" });
    expect(needed.answer).toMatchObject({ error: { code: "no_browser" } });
    const { answer, price } = await runWith(null, {});
    expect(price).toBe(1);
    expect(answer).toMatchObject({ content: { notes: [expect.stringContaining("JavaScript")] } });
  });

  it("leaves what else is known of the page in its notes", async () => {
    const frame = expect.stringContaining(`${odd.origin}/x`);
    const { answer } = await runWith(null, { url: `${odd.origin}/framed` });
    const notes = [frame, expect.stringContaining("JavaScript")];
    expect(answer).toMatchObject({ content: { notes } });
    const html = `<p>made by scripts<iframe src="${odd.origin}/x">`;
    const render = async () => ({ ...rendering, html, notes: ["It was slow."] });
    const rendered = await runWith({ render }, {});
    expect(rendered.answer).toMatchObject({ content: { notes: [frame, "It was slow."] } });
  });

  it("is used automatically for an empty page, and notes omitted parts", async () => {
    const { answer, price, url, cut } = await runWith(
      { render: async () => ({ ...rendering, cutAt: "3 MiB" }) },
      {},
    );
    expect(answer).toMatchObject({
      content: { title: "Made", text: "by scripts", rendered: true, cut: true, cutAt: "3 MiB" },
    });
    expect({ price, url, cut }).toEqual({
      price: undefined,
      url: "https://example.com/",
      cut: "3 MiB",
    });
  });

  it("that fails still returns the page, or a free error if it was required", async () => {
    const { answer, price } = await runWith(failing, {});
    expect(price).toBe(1);
    expect(answer).toMatchObject({ ok: true, content: { title: "Odd app" } });
    expect(JSON.stringify(answer)).toContain("All browsers are in use.");
    const needed = await runWith(failing, { render: "always" });
    expect(needed).toMatchObject({ answer: { error: { code: "browser_busy" } }, price: 0 });
  });
});

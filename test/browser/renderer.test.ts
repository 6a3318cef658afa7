import { afterEach, describe, expect, test } from "vitest";
import { testBinding } from "../support/browser/binding.ts";
import { render, succeeded } from "../support/browser/render.ts";
import { startServer } from "../support/server.ts";
import { untilEnd } from "../support/until-end.ts";

const binding = testBinding();
/** Told of each request's path. */
let onRequest: (path: string) => void = () => {};

const PAGES: Record<string, string> = {
  "/dialogs":
    "<p id=p></p><script>alert(1); p.textContent = 'Asked: ' + confirm('?') + prompt('?'); onbeforeunload = () => 'stay'; location = '/plain'</script>",
  "/keeps": `<p id=p></p><script>
    p.textContent = "Kept: " + (document.cookie + (localStorage.kept ?? "") || "none") + ".";
    document.cookie = "kept=cookie; max-age=3600"; localStorage.kept = "storage";</script>`,
  "/plain": "<title>Plain</title><p>Nothing special</p>",
  "/endless": "<p>Before</p><script>while (true);</script>",
  "/never-loads": "<p>Here already</p><img src=/hangs>",
  "/many": `<p id=p></p><script type=module>
    const all = await Promise.allSettled(Array.from({length: 12}, (_, n) => fetch("/plain?" + n)));
    p.textContent = "Came: " + all.filter(({status}) => status === "fulfilled").length + ".";
    end.textContent = "All asked";</script><p id=end></p>`,
  "/long-data": `<p id=p></p><script>
    fetch("/long.bin").catch(() => { p.textContent = "Too long" })</script>`,
  "/long-picture": `<p id=p></p><img src=/long.bin onerror="p.textContent = 'Too long'">`,
  "/window":
    "<a href=/plain target=_blank>In a new window</a><script>document.links[0].click()</script>",
};

const site = await untilEnd(
  startServer((request, response) => {
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    onRequest(path);
    if (path === "/hangs") return;
    if (path === "/teas.csv") {
      response.writeHead(200, { "content-type": "text/csv" }).end("name\nTea\n");
    } else if (path === "/long.bin") {
      response.writeHead(200).end(Buffer.alloc(100_000));
    } else {
      const page = PAGES[path];
      response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html" });
      response.end(page ?? "<p>No such page</p>");
    }
  }),
);

afterEach(async () => {
  onRequest = () => {};
  await binding.allEnded();
});

describe("a page that", () => {
  test("opens dialogs does not block, and one that opens windows stays in its own", async () => {
    for (const path of ["/dialogs", "/window"]) {
      const { html, url } = succeeded(await render(binding, site.origin + path));
      expect(url).toBe(`${site.origin}/plain`);
      expect(html).toContain("Nothing special");
    }
    // A browser ends with its visit, since it costs as long as it runs.
    await expect.poll(() => binding.running).toBe(0);
  });

  test("runs forever ends in time", async () => {
    const limits = { visitMs: 4_000, loadMs: 1_000, restMs: 1_000 };
    const rendering = await render(binding, `${site.origin}/endless`, { limits });
    expect(rendering).toMatchObject({
      ok: false,
      code: "timeout",
      message: "The page did not finish within 4 seconds.",
    });
  });

  test("never finishes loading is read in its current state", async () => {
    const limits = { loadMs: 1_000, restMs: 500 };
    const { html, notes } = succeeded(
      await render(binding, `${site.origin}/never-loads`, { limits }),
    );
    expect(html).toContain("Here already");
    expect(notes).toEqual(["The page was still loading when it was read."]);
  });

  test("requests too much gets a part of it, and a note", async () => {
    const { html, notes, cutAt } = succeeded(
      await render(binding, `${site.origin}/many`, { limits: { requests: 8 } }),
    );
    // One of the requests was for the page itself.
    expect(html).toMatch(/Came: [67]\./);
    expect(notes.join()).toContain("the page made more than 8 requests");
    expect(cutAt).toBe("8 requests");
  });

  test("loads too long data is marked, except for a picture", async () => {
    const limits = { responseBytes: 51_200, html: 20 };
    const read = async (path: string) =>
      succeeded(await render(binding, `${site.origin}${path}`, { limits }));
    const { cutAt, html } = await read("/long-data");
    expect(cutAt).toBe("50 KiB");
    // One character more, so that its reader sees that the document is longer.
    expect(html).toHaveLength(21);
    expect(await read("/long-picture")).not.toHaveProperty("cutAt");
  });

  test("is missing, or not a page, is reported as such", async () => {
    expect(await render(binding, `${site.origin}/missing`)).toMatchObject({
      code: "http_error",
      message: `${site.origin}/missing answered with status 404.`,
    });
    expect(await render(binding, `${site.origin}/teas.csv`)).toMatchObject({
      code: "unsupported_media_type",
      message: expect.stringContaining('text/csv, not a page; open it with render "never"'),
    });
  });
});

test("a browser crash is an error at once", async () => {
  onRequest = (path) => {
    if (path === "/hangs") binding.kill();
  };
  const rendering = await render(binding, `${site.origin}/never-loads`);
  expect(rendering).toMatchObject({ ok: false, code: "browser_failed" });
});

test("an abort ends the browser at once", async () => {
  const abort = new AbortController();
  onRequest = (path) => {
    if (path === "/hangs") abort.abort(new Error("stopped"));
  };
  const started = binding.started;
  const rendering = render(binding, `${site.origin}/never-loads`, { signal: abort.signal });
  await expect(rendering).rejects.toThrow("stopped");
  await expect.poll(() => binding.running).toBe(0);
  expect(binding.started).toBe(started + 1);
});

test("a browser is asked for with the allowed hosts, and again while all of them are in use", async () => {
  const policies: unknown[] = [];
  const fetch: typeof binding.fetch = async (_, init) => {
    policies.push(JSON.parse(String(init?.body ?? "null")));
    return new Response("none", { status: policies.length === 1 ? 429 : 500 });
  };
  const none = { ...binding, fetch };
  const allowedHosts = ["shop.example:8443", "*.shop.example"];
  expect(await render(none, site.origin, { allowedHosts })).toMatchObject({
    code: "browser_failed",
  });
  const shop = { guardrails: { allowedDomains: ["shop.example", "*.shop.example"] } };
  expect(policies).toEqual([shop, shop]);
});

test("leaves a slot to other accounts for any demand of one account", async () => {
  const renderings = await Promise.all(
    [1, 2].map(() => render(binding, `${site.origin}/plain`, { limits: { queueMs: 0 } })),
  );
  expect(renderings.map(({ ok }) => ok).sort()).toEqual([false, true]);
});

test("an unavailable browser is an error", async () => {
  const busy = { ...binding, fetch: async () => new Response("too many", { status: 429 }) };
  const limits = { queueMs: 0 };
  const refused = await render(busy, site.origin, { limits });
  expect(refused).toMatchObject({ ok: false, code: "browser_busy" });
  const gone = { ...binding, fetch: async () => new Response("gone", { status: 500 }) };
  expect(await render(gone, site.origin)).toMatchObject({ ok: false, code: "browser_failed" });
});

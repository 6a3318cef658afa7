import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { testBinding } from "../support/browser/binding.ts";
import { escapeFrame, escapePage, escapeScripts } from "../support/browser/escapes.ts";
import { render, succeeded } from "../support/browser/render.ts";
import { readText, startServer, type TestServer } from "../support/server.ts";

const binding = testBinding();
const connections: string[] = [];
const tcp = createServer((socket) => {
  connections.push("tcp");
  socket.on("data", (data) => connections.push(`tcp ${String(data).split("\r\n", 1)[0]}`));
  socket.on("error", () => {});
});
const udp = createSocket("udp4").on("message", ({ length }) => connections.push(`udp ${length}`));
let framesServed = 0;
let atOnce = 0;
let mostAtOnce = 0;
const forbidden = { host: "", udpHost: "" };
let site: TestServer;
let other: TestServer;
const seen: { method: string; url: string; cookie: string; body: string }[] = [];

beforeAll(async () => {
  tcp.listen(0, "127.0.0.1");
  udp.bind(0, "127.0.0.1");
  await Promise.all([once(tcp, "listening"), once(udp, "listening")]);
  const address = tcp.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  forbidden.host = `127.0.0.1:${address.port}`;
  forbidden.udpHost = `127.0.0.1:${udp.address().port}`;
  site = await startServer((request, response) => {
    const script = escapeScripts(forbidden)[request.url ?? ""];
    if (script !== undefined) {
      response.writeHead(200, { "content-type": "text/javascript" }).end(script);
    } else if (request.url === "/greedy") {
      response.writeHead(200, { "content-type": "text/html" }).end(GREEDY_PAGE);
    } else if (request.url?.startsWith("/much")) {
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      setTimeout(() => {
        atOnce -= 1;
        response.end("much");
      }, 50);
    } else if (request.url === "/moved") {
      response.writeHead(302, { location: `http://${forbidden.host}/moved` }).end();
    } else if (request.url === "/frame") {
      framesServed += 1;
      response.writeHead(200, { "content-type": "text/html" }).end(escapeFrame(forbidden));
    } else if (request.url === "/allowed") {
      response.writeHead(200, {
        "content-type": "text/html; charset=utf-8",
        "set-cookie": ["a=1; HttpOnly", "b=2"],
      });
      response.end(allowedPage());
    } else {
      response
        .writeHead(200, { "content-type": "text/html; charset=utf-8" })
        .end(escapePage(forbidden, site.origin.replace("127.0.0.1", "localhost")));
    }
  });
  other = await startServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const body = await readText(request);
    seen.push({ method, url, cookie: headers.cookie ?? "", body });
    response.writeHead(method === "PUT" && url === "/moved" ? 307 : 200, {
      "access-control-allow-origin": site.origin,
      "access-control-allow-credentials": "true",
      "access-control-allow-methods": "PUT",
      "access-control-allow-headers": "x-own",
      "set-cookie": "c=3",
      location: "/arrived",
    });
    response.end(`${method} of ${body}`);
  });
});

afterEach(() => binding.allEnded());
afterAll(async () => {
  tcp.close();
  udp.close();
  await Promise.all([site.close(), other.close()]);
});

test("no page reaches a forbidden host in any way", async () => {
  const { html, notes } = succeeded(
    await render(binding, `${site.origin}/`, {
      ownHosts: [forbidden.host, forbidden.udpHost],
      limits: { loadMs: 5_000, quietMs: 3_000, restMs: 20_000 },
    }),
  );
  expect(html).toContain("All was tried.");
  expect(/Reached: ([\w ]*)/.exec(html)?.[1]).toBe("");
  expect(framesServed).toBe(1);
  expect(notes.join("\n")).toContain("This address is the service itself.");
  expect(connections).toEqual([]);
});

test("no other address is opened, directly or by navigation", async () => {
  const bad = [`http://${forbidden.host}/`, "file:///etc/passwd", "chrome://version"];
  for (const url of [...bad, "data:text/html,<p>x", "about:blank", `${site.origin}/moved`]) {
    const rendering = await render(binding, url, { ownHosts: [forbidden.host] });
    expect(rendering, url).toMatchObject({ ok: false, code: "address_refused" });
  }
  expect(connections).toEqual([]);
});

test("many concurrent requests of a page are sent a few at a time", async () => {
  const { html } = succeeded(await render(binding, `${site.origin}/greedy`));
  expect(html).toContain("All came: 24");
  expect(mostAtOnce).toBeGreaterThan(1);
  expect(mostAtOnce).toBeLessThanOrEqual(6);
});

test("a page reaches allowed hosts, with cookies, bodies and redirects, and keeps nothing", async () => {
  for (const _ of ["first", "again"]) {
    seen.length = 0;
    const { html, notes } = succeeded(await render(binding, `${site.origin}/allowed`));
    expect(notes).toEqual([]);
    expect(seen).toEqual([
      { method: "OPTIONS", url: "/moved", cookie: "", body: "" },
      { method: "PUT", url: "/moved", cookie: "a=1; b=2", body: "grün" },
      { method: "OPTIONS", url: "/arrived", cookie: "", body: "" },
      { method: "PUT", url: "/arrived", cookie: "a=1; b=2; c=3", body: "grün" },
    ]);
    expect(html).toContain("Done: PUT of grün b=2; c=3");
  }
});

/** Calls another origin on the same machine, with which it shares its cookies, as ports have no say in them. */
function allowedPage(): string {
  return `<title>Allowed</title><p id="out"></p><script type="module">
const response = await fetch("${other.origin}/moved", {
  method: "PUT", credentials: "include", headers: {"x-own": "1"}, body: "grün",
});
out.textContent = "Done: " + await response.text() + " " + document.cookie;
</script>`;
}

const GREEDY_PAGE = `<title>Greedy</title><p id="out"></p><script type="module">
const many = Array.from({ length: 24 }, (_, n) => fetch("/much?" + n).then((answer) => answer.text()));
out.textContent = "All came: " + (await Promise.all(many)).length;
</script>`;

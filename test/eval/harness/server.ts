import type { IncomingMessage, ServerResponse } from "node:http";
import { readText, startServer } from "../../support/server.ts";
import type { SentRequest } from "../judge/effects.ts";
import type { Page, Site } from "./site.ts";

/** The host that accepts every request that changes something. */
const DESK = "desk.example";

export type SiteServer = Awaited<ReturnType<typeof startSites>>;

/** Starts a real HTTP server of the sites. Its paths begin with the host: `/filmfest.example/films`. */
export async function startSites(sites: readonly Site[]) {
  const pages = new Map<string, Page>(
    sites.flatMap(({ host, pages }) =>
      Object.entries(pages).map(([path, page]) => [`/${host}${path}`, page]),
    ),
  );
  const hosts = new Set([DESK, ...sites.map(({ host }) => host)]);
  let sent: SentRequest[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url = "/" } = request;
    if (method !== "GET" && method !== "HEAD") {
      sent.push({ method, url: `http:/${url}`, body: await readText(request) });
      const isAccepted = url.startsWith(`/${DESK}/`);
      response.writeHead(isAccepted ? 201 : 405, { "content-type": "application/json" });
      response.end(JSON.stringify(isAccepted ? { ok: true, id: 4711 } : { error: "not allowed" }));
      return;
    }
    const page = pages.get(url);
    const { mediaType, body } = page ?? { mediaType: "text/html", body: "<h1>Not found</h1>" };
    response.writeHead(page === undefined ? 404 : 200, {
      "content-type": `${mediaType}; charset=utf-8`,
    });
    response.end(method === "HEAD" ? "" : body);
  }

  const server = await startServer((request, response) => void handle(request, response));
  const fetchSite: typeof fetch = async (input, init) => {
    const { host, pathname, search } = new URL(input instanceof Request ? input.url : input);
    if (!hosts.has(host)) throw new TypeError(`There is no host ${host}.`);
    return fetch(`${server.origin}/${host}${pathname}${search}`, init);
  };
  return {
    /** Fetches from the sites by the names of their hosts; any other host is unreachable. */
    fetch: fetchSite,
    /** Returns the requests since the last call that may have changed something. */
    takeRequests: () => {
      const taken = sent;
      sent = [];
      return taken;
    },
    close: server.close,
  };
}

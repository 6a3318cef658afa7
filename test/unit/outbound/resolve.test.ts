import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createGuardedFetch } from "../../../src/outbound/guarded-fetch.ts";
import { requirePublic } from "../../../src/outbound/resolve.ts";
import { startServer } from "../../support/server.ts";
import { untilEnd } from "../../support/until-end.ts";

const A = 1;
const CNAME = 5;
const AAAA = 28;

interface Zone {
  [name: string]: { status?: number; records?: { type: number; data: string }[]; raw?: string };
}

const zone: Zone = {
  "good.example.com": { records: [{ type: A, data: "93.184.216.34" }] },
  "six.example.com": { records: [{ type: AAAA, data: "2606:4700::1111" }] },
  "alias.example.com": {
    records: [
      { type: CNAME, data: "good.example.com." },
      { type: A, data: "93.184.216.34" },
    ],
  },
  "private.example.com": { records: [{ type: A, data: "10.0.0.1" }] },
  "mixed.example.com": {
    records: [
      { type: A, data: "93.184.216.34" },
      { type: A, data: "127.0.0.1" },
    ],
  },
  "mapped.example.com": { records: [{ type: AAAA, data: "::ffff:10.0.0.1" }] },
  "empty.example.com": {},
  "gone.example.com": { status: 3 },
  "broken.example.com": { status: 2 },
  "garbage.example.com": { raw: "<html>" },
  "strange.example.com": { records: [{ type: A, data: "not an address" }] },
};

const dns = await untilEnd(startServer(answer));
let asked: (string | null)[] = [];

beforeEach(() => {
  asked = [];
});
afterEach(() => void vi.useRealTimers());

function answer(request: IncomingMessage, response: ServerResponse): void {
  const query = new URL(request.url ?? "/", dns.origin).searchParams;
  const name = query.get("name") ?? "";
  const type = query.get("type") === "A" ? A : AAAA;
  asked.push(name);
  if (request.headers.accept !== "application/dns-json") {
    response.writeHead(400).end();
    return;
  }
  const { status = 0, records = [], raw } = zone[name] ?? { status: 3 };
  const relevant = records.filter((record) => record.type === type || record.type === CNAME);
  response.end(raw ?? JSON.stringify({ Status: status, Answer: relevant }));
}

function resolve(name: string, url = `${dns.origin}/dns-query`) {
  return requirePublic(name, { dnsOverHttpsUrl: url, fetch }, new AbortController().signal);
}

describe("a name", () => {
  it("has a time limit for each look-up, whose timer ends with it", async () => {
    vi.useFakeTimers();
    const { promise, resolve: answerBoth } = Promise.withResolvers<Response>();
    const resolver = { dnsOverHttpsUrl: "https://dns.example/dns-query", fetch: () => promise };
    const looked = requirePublic("good.example.com", resolver, new AbortController().signal);
    expect(vi.getTimerCount()).toBe(2);
    answerBoth(new Response("", { status: 503 }));
    await expect(looked).rejects.toMatchObject({ code: "lookup_failed" });
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each(["good", "six", "alias"])("with public addresses only passes: %s", async (name) => {
    await expect(resolve(`${name}.example.com`)).resolves.toBeUndefined();
  });

  it.each([
    ["private", "address_refused"],
    ["mixed", "address_refused"],
    ["mapped", "address_refused"],
    ["strange", "address_refused"],
    ["empty", "address_refused"],
    ["gone", "address_refused"],
    ["broken", "lookup_failed"],
    ["garbage", "lookup_failed"],
  ])("without certain public addresses is refused: %s", async (name, code) => {
    await expect(resolve(`${name}.example.com`)).rejects.toMatchObject({ code });
  });

  it("is refused if the resolver is unreachable or redirects", async () => {
    const closed = await startServer(() => {});
    await closed.close();
    const moved = await startServer((_request, response) => {
      response.writeHead(302, { location: `${dns.origin}/dns-query?name=good.example.com` }).end();
    });
    for (const { origin } of [closed, moved]) {
      const lookedUp = resolve("good.example.com", origin);
      await expect(lookedUp).rejects.toMatchObject({ code: "lookup_failed" });
    }
    await moved.close();
  });
});

describe("the guarded fetch", () => {
  const request = {
    method: "GET",
    maxBytes: 1_000,
    timeoutMs: 5_000,
    maxRedirects: 0,
    signal: new AbortController().signal,
  };
  const connected: string[] = [];

  function guarded() {
    return createGuardedFetch({
      policy: { allowLoopback: true, ownHosts: [], schemes: ["https"] },
      dnsOverHttpsUrl: `${dns.origin}/dns-query`,
      fetch: (input, init) => {
        if (String(input).startsWith(dns.origin)) return fetch(input, init);
        connected.push(String(input));
        return Promise.resolve(new Response("reached"));
      },
    });
  }

  it("looks up a name before it connects", async () => {
    await guarded()({ ...request, url: "https://good.example.com/" });
    expect(connected.splice(0)).toEqual(["https://good.example.com/"]);
    expect(asked).toEqual(["good.example.com", "good.example.com"]);
  });

  it("does not connect to a name with a private address, or one that cannot be resolved", async () => {
    const inside = guarded()({ ...request, url: "https://private.example.com/" });
    await expect(inside).rejects.toMatchObject({ code: "address_refused" });
    const unknown = guarded()({ ...request, url: "https://broken.example.com/" });
    await expect(unknown).rejects.toMatchObject({ code: "lookup_failed" });
    expect(connected).toEqual([]);
  });

  it("does not look up addresses", async () => {
    await guarded()({ ...request, url: "https://8.8.8.8/" });
    await guarded()({ ...request, url: "http://localhost:3000/" });
    expect(asked).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { httpRequest } from "../../../../src/agent/tools/http-request.ts";
import { httpResponseContent } from "../../../../src/contract/tools/web.ts";
import { startServer } from "../../../support/server.ts";
import { startSite } from "../../../support/site/server.ts";
import { untilEnd } from "../../../support/until-end.ts";
import { toolContext } from "./support.ts";

const BODIES: Record<string, [type: string, body: string | Buffer]> = {
  "/deep": ["application/json", "[".repeat(100_000) + "]".repeat(100_000)],
  "/growing": ["application/json", `[${Array(250_000).fill("1e20").join(",")}]`],
  "/crowded": ["application/json", `[${Array(400_000).fill("{}").join(",")}]`],
  "/long": ["application/json", JSON.stringify(Array(900).fill('"'.repeat(1_000)))],
  "/broken": ["application/json", '{"a":'],
  "/ids": ["application/json", '{"ids":[9007199254740993,-12345678901234567890,1]}'],
  "/problem": ["application/problem+json", '{"title":"No"}'],
  "/untyped": ["", ' {"a":1}'],
  "/binary": ["application/octet-stream", Buffer.from([0, 1, 2])],
  "/untyped-binary": ["", Buffer.from([0, 1, 2])],
  "/big": ["text/plain", "x".repeat(2_100_000)],
  "/big.json": ["application/json", JSON.stringify("x".repeat(2_100_000))],
};

const site = await untilEnd(startSite());
const api = await untilEnd(
  startServer((request, response) => {
    const [type, body] = BODIES[request.url ?? ""] ?? ["text/plain", ""];
    if (request.url === "/break") return request.socket.destroy();
    response.setHeader("set-cookie", "session=secret");
    response.setHeader("x-request", "7");
    if (type) response.setHeader("content-type", type);
    return response.end(body);
  }),
);

async function send(raw: unknown) {
  const result = await httpRequest.run(httpRequest.input.parse(raw), toolContext({}));
  const { answer, url } = result;
  return {
    ...result,
    url,
    answer,
    content: answer.ok ? httpResponseContent.parse(answer.content) : null,
  };
}

describe("a read", () => {
  it("returns JSON parsed", async () => {
    const { content } = await send({ url: `${site.origin}/api/products.json` });
    expect(content).toMatchObject({
      status: 200,
      mediaType: "application/json",
      json: { shop: { currency: "EUR" } },
      cut: false,
    });
    expect(content).not.toHaveProperty("text");
  });

  it("returns a long id as the text of its digits", async () => {
    const { content } = await send({ url: `${api.origin}/ids` });
    expect(content?.json).toEqual({ ids: ["9007199254740993", "-12345678901234567890", 1] });
  });

  it("follows redirects and returns the final address", async () => {
    const { url, content } = await send({ url: `${site.origin}/old` });
    expect(url).toBe(`${site.origin}/`);
    expect(content).toMatchObject({ url: `${site.origin}/`, status: 200, mediaType: "text/html" });
  });

  it("accepts any status, and a HEAD without a body", async () => {
    expect((await send({ url: `${site.origin}/nowhere` })).content?.status).toBe(404);
    const { content } = await send({ method: "HEAD", url: `${site.origin}/hours.txt` });
    expect(content).toMatchObject({ status: 200, text: "" });
  });

  it("sends no idempotency key, and no body", async () => {
    await send({ url: `${site.origin}/hours.txt`, headers: { "X-Mine": "1" } });
    expect(site.requests.at(-1)?.headers).toMatchObject({ "x-mine": "1" });
    expect(site.requests.at(-1)?.headers).not.toHaveProperty("idempotency-key");
    expect((await send({ url: site.origin, body: "x" })).answer).toMatchObject({
      ok: false,
      error: { code: "invalid_request" },
    });
  });
});

describe("an effect", () => {
  it("sends JSON with its type and the call's idempotency key", async () => {
    const { content } = await send({
      method: "POST",
      url: `${site.origin}/orders`,
      headers: { "Idempotency-Key": "of the model" },
      body: { tea: "fog-bell" },
    });
    expect(content).toMatchObject({ status: 201, json: { order: { number: 1 } } });
    expect(site.requests.at(-1)).toMatchObject({
      method: "POST",
      body: '{"tea":"fog-bell"}',
      headers: { "content-type": "application/json", "idempotency-key": "execution:call" },
    });
  });

  it("sends a text unchanged, with the given type", async () => {
    const headers = { "Content-Type": "text/csv" };
    await send({ method: "POST", url: `${site.origin}/orders`, headers, body: "a,b" });
    expect(site.requests.at(-1)).toMatchObject({
      body: "a,b",
      headers: { "content-type": "text/csv" },
    });
  });

  it("follows no redirect", async () => {
    const url = `${site.origin}/old`;
    const before = site.requests.length;
    const { content } = await send({ method: "POST", url, body: {} });
    expect(content).toMatchObject({ status: 301, headers: { location: "/" } });
    expect(site.requests).toHaveLength(before + 1);
  });

  it("that is interrupted is uncertain; one that was not sent is refused", async () => {
    const broken = await send({ method: "POST", url: `${api.origin}/break` });
    expect(broken.answer).toMatchObject({ ok: false, error: { code: "uncertain" } });
    const read = await send({ url: `${api.origin}/break` });
    expect(read.answer).toMatchObject({ ok: false, error: { code: "network" } });
    const refused = await send({ method: "POST", url: "http://10.0.0.1/" });
    expect(refused.answer).toMatchObject({ ok: false, error: { code: "address_refused" } });
    const headers = { Host: "example.com" };
    const header = await send({ method: "POST", url: `${api.origin}/`, headers });
    expect(header.answer).toMatchObject({ ok: false, error: { code: "header_refused" } });
  });

  it.each(["POST", "PUT", "PATCH", "DELETE"] as const)("is any request with %s", (method) => {
    const input = { method, url: "https://api.example.com/v1/items?key=secret#x" };
    expect(httpRequest.effect?.(input)).toEqual({
      target: `${method} https://api.example.com/v1/items`,
    });
    for (const read of ["GET", "HEAD"] as const) {
      expect(httpRequest.effect?.({ ...input, method: read })).toBeNull();
    }
  });

  it("does not reveal secrets of an unreadable address", () => {
    const url = "https://user:secret@[";
    expect(httpRequest.effect?.({ method: "POST", url })?.target).toBe("POST an invalid address");
    const withUser = { method: "POST", url: "https://user:secret@example.com/" } as const;
    expect(httpRequest.effect?.(withUser)?.target).toBe("POST https://example.com/");
  });
});

describe("an answer", () => {
  it.each(["/problem", "/untyped", "/long"])(
    "is parsed whole when it is JSON: %s",
    async (path) => {
      const { content } = await send({ url: api.origin + path });
      expect(content).toMatchObject({ cut: false, json: expect.any(Object) });
    },
  );

  it.each(["/deep", "/growing", "/crowded", "/broken"])(
    "is text when its JSON is invalid: %s",
    async (path) => {
      const { content } = await send({ url: api.origin + path });
      expect(content).not.toHaveProperty("json");
      expect(content?.text).toBeTypeOf("string");
    },
  );

  it.each(["/binary", "/untyped-binary"])("is omitted when it is not text: %s", async (path) => {
    const { content } = await send({ url: api.origin + path });
    expect(content).not.toHaveProperty("text");
    expect(content).not.toHaveProperty("json");
  });

  it.each(["/big", "/big.json"])("that is too long is cut, with the position: %s", async (path) => {
    const { content, cut } = await send({ url: api.origin + path });
    expect(content).toMatchObject({ cut: true, cutAt: "2 MiB", text: expect.any(String) });
    expect(cut).toBe("2 MiB");
    expect(content?.text).toHaveLength(2 * 1024 * 1024);
  });

  it("has headers without cookies, and counts as read whole only after a successful GET", async () => {
    const { content, cut } = await send({ url: `${api.origin}/problem` });
    expect(content?.headers).toMatchObject({ "x-request": "7" });
    expect(JSON.stringify(content)).not.toContain("secret");
    expect(cut).toBeNull();
    expect((await send({ url: `${site.origin}/nowhere` })).cut).toBeUndefined();
    const post = { method: "POST", url: `${api.origin}/problem`, sources: ["c1"] };
    expect(await send(post)).toMatchObject({ basedOn: ["c1"] });
    expect((await send(post)).cut).toBeUndefined();
  });
});

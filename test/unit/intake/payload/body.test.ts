import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gzipBody, type ReceivedBody, readBody } from "../../../../src/intake/payload/body.ts";
import { gzip, lyingBomb } from "../../../support/bombs.ts";

const URL = "https://hooks.example/hooks/a";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function request(body: BodyInit, headers: Record<string, string> = {}): Request {
  // Node wants to be told that a stream is sent without waiting for the answer.
  const init = { method: "POST", body, headers, duplex: "half" };
  return new Request(URL, init);
}

const zipped = (body: Uint8Array, encoding = "gzip") =>
  request(body, { "Content-Encoding": encoding });

function contentOf(body: ReceivedBody) {
  if (body.kind !== "whole") throw new Error(body.kind);
  return body.content();
}

/** A body without end, which remembers how much was taken. */
function endless(chunk: Uint8Array) {
  const seen = { chunks: 0 };
  const stream = new ReadableStream(
    {
      pull(controller) {
        seen.chunks += 1;
        controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, seen };
}

describe("a plain body", () => {
  it("is read completely", async () => {
    const body = await readBody(request("hello"), 5);
    expect(body).toMatchObject({ kind: "whole", raw: bytesOf("hello") });
    expect(contentOf(body)).toEqual({ kind: "whole", bytes: bytesOf("hello") });
  });

  it("may be missing", async () => {
    const body = await readBody(new Request(URL), 5);
    expect(body).toMatchObject({ kind: "whole", raw: new Uint8Array() });
  });

  it("is too large at one byte over the limit, and its beginning is kept", async () => {
    const body = await readBody(request("x".repeat(20_001)), 20_000);
    if (body.kind !== "too_large") throw new Error(body.kind);
    expect(body.limit).toBe(20_000);
    expect(textOf(body.beginning ?? new Uint8Array())).toBe("x".repeat(16_384));
    // Its own memory, or it would keep the whole body.
    expect(body.beginning?.buffer.byteLength).toBe(16_384);
  });

  it("is cancelled as soon as it is too large", async () => {
    const { stream, seen } = endless(new Uint8Array(1_000));
    expect(await readBody(request(stream), 10_000)).toMatchObject({ kind: "too_large" });
    expect(seen).toEqual({ chunks: 11 });
  });

  it("does not trust its Content-Length", async () => {
    const lying = request("x".repeat(100), { "Content-Length": "5" });
    expect(await readBody(lying, 10)).toMatchObject({ kind: "too_large" });
  });

  it("fails if the sender disconnects", async () => {
    const stream = new ReadableStream({
      start(controller) {
        controller.error(new Error("reset"));
      },
    });
    await expect(readBody(request(stream), 10)).rejects.toThrow("broke off");
  });
});

describe("a gzipped body", () => {
  it("is inflated only when its content is read", async () => {
    const wire = gzip("hello");
    const body = await readBody(zipped(wire), 100);
    if (body.kind !== "whole") throw new Error(body.kind);
    // Signatures may cover the bytes on the wire.
    expect(body).toMatchObject({ raw: wire, decoded: null });
    const [one, other] = [body.content(), body.content()];
    expect(one).toEqual({ kind: "whole", bytes: bytesOf("hello") });
    expect(other).toBe(one);
    expect(body.decoded).toBe(one);
  });

  it.each(["gzip", "GZIP", "x-gzip", " gzip "])("may be called %j", async (encoding) => {
    const body = await readBody(zipped(gzip("{}"), encoding), 100);
    expect(contentOf(body)).toEqual({ kind: "whole", bytes: bytesOf("{}") });
  });

  it("is limited on the wire, and its beginning is not kept", async () => {
    const limit = gzip("{}").length;
    expect(await readBody(zipped(gzip("{}")), limit)).toMatchObject({ kind: "whole" });
    expect(await readBody(zipped(gzip("{}")), limit - 1)).toEqual({
      kind: "too_large",
      limit: limit - 1,
      beginning: null,
    });
  });

  it("has the same limit inflated", async () => {
    const inflated = async (limit: number) =>
      contentOf(await readBody(zipped(gzip("x".repeat(20_001))), limit));
    expect(await inflated(20_001)).toMatchObject({ kind: "whole" });
    expect(await inflated(20_000)).toEqual({ kind: "too_large", limit: 20_000 });
  });

  it("may have no bytes at all", async () => {
    const body = await readBody(zipped(new Uint8Array()), 10);
    expect(contentOf(body)).toEqual({ kind: "whole", bytes: new Uint8Array() });
  });
});

describe("inflating", () => {
  const MEGABYTE = 1_048_576;
  const inflated = (wire: Uint8Array, limit = 2 * MEGABYTE) => gzipBody(wire, limit).content();

  it("returns what was compressed", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20_000 }), (data) => {
        expect(inflated(gzip(data))).toEqual({ kind: "whole", bytes: data });
      }),
      { numRuns: 50 },
    );
  });

  it("reads a part of a larger buffer", () => {
    const wire = gzip("hello");
    const part = new Uint8Array([9, ...wire, 9]).subarray(1, wire.length + 1);
    expect(inflated(part)).toMatchObject({ kind: "whole" });
  });

  it.each([
    ["truncated", gzip("hello world").slice(0, -1)],
    ["cut in its header", gzip("hello world").slice(0, 5)],
    ["followed by something else", new Uint8Array([...gzip("hello"), 1, 0, 0, 0])],
    ["followed by zeros", new Uint8Array([...gzip("hello"), 0, 0])],
    ["of two members", new Uint8Array([...gzip("hello"), ...gzip("world!")])],
    ["corrupt", gzip("hello world").map((byte, at) => (at === 14 ? byte ^ 255 : byte))],
    [
      "of a false checksum",
      gzip("hello").map((byte, at, all) => (at === all.length - 5 ? byte ^ 1 : byte)),
    ],
    ["longer than it declares", lyingBomb(1, 1_000)],
    ["without its length", gzip("hello world").slice(0, -4)],
    ["shorter than it declares", lyingBomb(1, MEGABYTE + 1)],
    ["not gzip", new TextEncoder().encode('{"plain":"and long enough"}')],
  ])("refuses a stream that is %s", (_, wire) => {
    expect(inflated(wire)).toMatchObject({ kind: "corrupt" });
  });

  it("allocates no more than the declared length of a bomb that declares less", () => {
    const wire = lyingBomb(40, MEGABYTE);
    const before = process.memoryUsage().arrayBuffers;
    expect(inflated(wire)).toMatchObject({ kind: "corrupt" });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * MEGABYTE);
  });
});

describe("another Content-Encoding", () => {
  it.each(["br", "gzip, gzip", "identity, gzip"])("is not decoded: %s", async (encoding) => {
    const body = await readBody(zipped(gzip("{}"), encoding), 100);
    if (body.kind !== "unsupported") throw new Error(body.kind);
    expect(body.detail).toContain(encoding);
  });

  it("may be identity", async () => {
    const body = await readBody(request("{}", { "Content-Encoding": "Identity" }), 100);
    expect(contentOf(body)).toEqual({ kind: "whole", bytes: bytesOf("{}") });
  });
});

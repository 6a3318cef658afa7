import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readBody } from "../../../../src/inbound/payload/body.ts";

const URL = "https://hooks.example/hooks/a";
const MEGABYTE = 1_048_576;

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function request(body: BodyInit, headers: Record<string, string> = {}): Request {
  // Node wants to be told that a stream is sent without waiting for the answer.
  const init = { method: "POST", body, headers, duplex: "half" };
  return new Request(URL, init);
}

const zipped = (body: Uint8Array, encoding = "gzip") =>
  request(body, { "Content-Encoding": encoding });

const gzip = (data: Uint8Array | string) => new Uint8Array(gzipSync(data));

/** A body without end, which remembers whether it was stopped and how much was taken. */
function endless(chunk: Uint8Array) {
  const seen = { chunks: 0, cancelled: false };
  const stream = new ReadableStream(
    {
      pull(controller) {
        seen.chunks += 1;
        controller.enqueue(chunk);
      },
      cancel() {
        seen.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, seen };
}

describe("a body as it comes", () => {
  it("is read whole", async () => {
    const body = await readBody(request("hello"), 5);
    expect(body).toEqual({ kind: "whole", raw: bytesOf("hello"), bytes: bytesOf("hello") });
  });

  it("may be missing", async () => {
    const body = await readBody(new Request(URL), 5);
    expect(body).toMatchObject({ kind: "whole", raw: new Uint8Array() });
  });

  it("is too large from one byte more than the limit, and its beginning is kept", async () => {
    const body = await readBody(request("x".repeat(20_001)), 20_000);
    if (body.kind !== "too_large") throw new Error(body.kind);
    expect(body.limit).toBe(20_000);
    expect(textOf(body.beginning)).toBe("x".repeat(16_384));
    // Its own memory, or it would keep the whole body.
    expect(body.beginning.buffer.byteLength).toBe(16_384);
  });

  it("is stopped as soon as it is too large, however long it would be", async () => {
    const { stream, seen } = endless(new Uint8Array(1_000));
    expect(await readBody(request(stream), 10_000)).toMatchObject({ kind: "too_large" });
    expect(seen).toEqual({ chunks: 11, cancelled: true });
  });

  it("is not taken by the word of its Content-Length", async () => {
    const lying = request("x".repeat(100), { "Content-Length": "5" });
    expect(await readBody(lying, 10)).toMatchObject({ kind: "too_large" });
  });

  it("fails when the sender breaks off", async () => {
    const stream = new ReadableStream({
      start(controller) {
        controller.error(new Error("reset"));
      },
    });
    await expect(readBody(request(stream), 10)).rejects.toThrow("broke off");
  });
});

describe("a gzipped body", () => {
  it("is inflated, and its bytes on the wire are kept for signatures", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 20_000 }), async (data) => {
        const wire = gzip(data);
        const body = await readBody(zipped(wire), MEGABYTE);
        if (body.kind !== "whole") throw new Error(body.kind);
        expect(Buffer.from(body.raw).equals(wire)).toBe(true);
        expect(Buffer.from(body.bytes).equals(data)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it.each(["gzip", "GZIP", "x-gzip", " gzip "])("may be called %j", async (encoding) => {
    const body = await readBody(zipped(gzip("{}"), encoding), 100);
    expect(body).toMatchObject({ kind: "whole", bytes: bytesOf("{}") });
  });

  it("may be larger on the wire than inflated, within the limit", async () => {
    const limit = gzip("{}").length;
    expect(await readBody(zipped(gzip("{}")), limit)).toMatchObject({ kind: "whole" });
    expect(await readBody(zipped(gzip("{}")), limit - 1)).toMatchObject({ kind: "too_large" });
  });

  it("is held to the limit inflated as well", async () => {
    const wire = gzip("x".repeat(20_001));
    expect(await readBody(zipped(wire), 20_001)).toMatchObject({ kind: "whole" });
    const body = await readBody(zipped(wire), 20_000);
    if (body.kind !== "too_large") throw new Error(body.kind);
    expect(textOf(body.beginning)).toBe("x".repeat(16_384));
  });

  it("is stopped when it is a bomb", async () => {
    const bomb = gzip(new Uint8Array(100 * MEGABYTE));
    const before = process.memoryUsage().arrayBuffers;
    expect(await readBody(zipped(bomb), MEGABYTE)).toMatchObject({ kind: "too_large" });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * MEGABYTE);
  });

  it("shows its beginning inflated when it is too large on the wire", async () => {
    const noise = Array.from({ length: 5_000 }, (_, at) => `${at * 7_919}`).join();
    const body = await readBody(zipped(gzip(noise)), 2_000);
    if (body.kind !== "too_large") throw new Error(body.kind);
    expect(body.beginning.length).toBeGreaterThan(2_000);
    expect(noise.startsWith(textOf(body.beginning))).toBe(true);
  });

  it.each([
    ["truncated", gzip("hello world").slice(0, -1)],
    ["cut in its header", gzip("hello world").slice(0, 5)],
    ["followed by something else", new Uint8Array([...gzip("hello"), 1, 2, 3])],
    ["corrupt", gzip("hello world").map((byte, at) => (at === 14 ? byte ^ 255 : byte))],
    [
      "of a false checksum",
      gzip("hello").map((byte, at, all) => (at === all.length - 5 ? byte ^ 1 : byte)),
    ],
    ["not gzipped", bytesOf('{"plain":true}')],
  ])("is not taken when it is %s", async (_, wire) => {
    const body = await readBody(zipped(wire), MEGABYTE);
    if (body.kind !== "not_decoded") throw new Error(body.kind);
    expect(body.detail).toContain("gzip");
    expect(body.beginning).toEqual(wire);
  });

  it("may have no bytes at all", async () => {
    expect(await readBody(zipped(new Uint8Array()), 10)).toMatchObject({ kind: "whole" });
  });
});

describe("another Content-Encoding", () => {
  it.each(["br", "deflate", "gzip, gzip", "identity, gzip", "zstd", "x"])(
    "is not decoded: %s",
    async (encoding) => {
      const body = await readBody(zipped(gzip("{}"), encoding), 100);
      if (body.kind !== "not_decoded") throw new Error(body.kind);
      expect(body.detail).toContain(encoding);
    },
  );

  it("is none when it is identity", async () => {
    const body = await readBody(request("{}", { "Content-Encoding": "Identity" }), 100);
    expect(body).toMatchObject({ kind: "whole", bytes: bytesOf("{}") });
  });
});

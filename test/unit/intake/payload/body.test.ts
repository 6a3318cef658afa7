import { describe, expect, it } from "vitest";
import { readBody } from "../../../../src/intake/payload/body.ts";

const URL = "https://hooks.example/hooks/a";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function request(body: BodyInit, headers: Record<string, string> = {}): Request {
  // Node wants to be told that a stream is sent without waiting for the answer.
  const init = { method: "POST", body, headers, duplex: "half" };
  return new Request(URL, init);
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

describe("a body as it comes", () => {
  it("is read whole", async () => {
    expect(await readBody(request("hello"), 5)).toEqual({
      kind: "whole",
      bytes: bytesOf("hello"),
    });
  });

  it("may be missing", async () => {
    const body = await readBody(new Request(URL), 5);
    expect(body).toEqual({ kind: "whole", bytes: new Uint8Array() });
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
    expect(seen).toEqual({ chunks: 11 });
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

describe("a Content-Encoding", () => {
  it.each(["gzip", "x-gzip", "br", "deflate", "identity, gzip", "zstd", "x"])(
    "is not decoded: %s",
    async (encoding) => {
      const body = await readBody(request("{}", { "Content-Encoding": encoding }), 100);
      if (body.kind !== "unsupported") throw new Error(body.kind);
      expect(body.detail).toContain(encoding);
    },
  );

  it("is none when it is identity", async () => {
    const body = await readBody(request("{}", { "Content-Encoding": "Identity" }), 100);
    expect(body).toEqual({ kind: "whole", bytes: bytesOf("{}") });
  });
});

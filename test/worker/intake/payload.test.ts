import { describe, expect, it } from "vitest";
import { type ReceivedBody, readBody } from "../../../src/intake/payload/body.ts";
import { parsePayload } from "../../../src/intake/payload/parse.ts";

const ADDRESS = "https://hooks.example/hooks/a";

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request(ADDRESS, { method: "POST", body, headers });

async function gzip(data: BodyInit): Promise<Uint8Array> {
  const stream = new Response(data).body;
  if (stream === null) throw new Error("no body");
  const zipped = stream.pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(zipped).arrayBuffer());
}

const zipped = (body: Uint8Array) => post(body, { "Content-Encoding": "gzip" });

function contentOf(body: ReceivedBody) {
  if (body.kind !== "whole") throw new Error(body.kind);
  return body.content();
}

describe("reading a body in the Workers runtime", () => {
  it("inflates gzip and keeps the bytes on the wire", async () => {
    const wire = await gzip("hello");
    const body = await readBody(zipped(wire), 1_000);
    expect(body).toMatchObject({ kind: "whole", raw: wire });
    const bytes = new TextEncoder().encode("hello");
    expect(contentOf(body)).toEqual({ kind: "whole", bytes });
  });

  it("stops a bomb at its declared length", async () => {
    const wire = await gzip(new Uint8Array(50_000_000));
    new DataView(wire.buffer).setUint32(wire.length - 4, 1_000, true);
    expect(contentOf(await readBody(zipped(wire), 1_000_000))).toMatchObject({ kind: "corrupt" });
  });

  it("refuses a stream that is truncated or has trailing data", async () => {
    const wire = await gzip("hello");
    for (const broken of [wire.slice(0, -1), new Uint8Array([...wire, 1, 0, 0, 0])]) {
      const { kind } = contentOf(await readBody(zipped(broken), 1_000));
      expect(["corrupt", "too_large"]).toContain(kind);
    }
  });
});

it("parsing a payload in the Workers runtime reads a multipart form", async () => {
  const form = new FormData();
  form.append("a", "1");
  form.append("__proto__", "2");
  form.append("f", new File(["abc"], "a.txt", { type: "text/plain" }));
  const request = post(form);
  const contentType = request.headers.get("Content-Type");
  const body = await readBody(request, 10_000);
  if (body.kind !== "whole") throw new Error(body.kind);
  const url = new URL(ADDRESS);
  const parsed = await parsePayload({ method: "POST", url, contentType, bytes: body.raw });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  expect(Object.entries(Object(parsed.payload))).toEqual([
    ["a", "1"],
    ["__proto__", "2"],
    ["f", { filename: "a.txt", mediaType: "text/plain", size: 3 }],
  ]);
});

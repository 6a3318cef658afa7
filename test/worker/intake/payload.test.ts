import { expect, it } from "vitest";
import { readBody } from "../../../src/intake/payload/body.ts";
import { parsePayload } from "../../../src/intake/payload/parse.ts";

const ADDRESS = "https://hooks.example/hooks/a";

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request(ADDRESS, { method: "POST", body, headers });

it("the Workers runtime inflates gzip, and keeps the bytes on the wire", async () => {
  const zipped = new Response("hello").body?.pipeThrough(new CompressionStream("gzip"));
  const wire = new Uint8Array(await new Response(zipped).arrayBuffer());
  const body = await readBody(post(wire, { "Content-Encoding": "gzip" }), 1_000);
  if (body.kind !== "whole") throw new Error(body.kind);
  expect(body.raw).toEqual(wire);
  expect(body.content()).toEqual({ kind: "whole", bytes: new TextEncoder().encode("hello") });
});

it("the Workers runtime reads a multipart form", async () => {
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

import { describe, expect, it } from "vitest";
import { readBody } from "../../../src/intake/payload/body.ts";
import { parsePayload } from "../../../src/intake/payload/parse.ts";

const ADDRESS = "https://hooks.example/hooks/a";

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request(ADDRESS, { method: "POST", body, headers });

describe("parsing a payload in the Workers runtime", () => {
  it("reads a multipart form", async () => {
    const form = new FormData();
    form.append("a", "1");
    form.append("__proto__", "2");
    form.append("f", new File(["abc"], "a.txt", { type: "text/plain" }));
    const request = post(form);
    const contentType = request.headers.get("Content-Type");
    const body = await readBody(request, 10_000);
    if (body.kind !== "whole") throw new Error(body.kind);
    const url = new URL(ADDRESS);
    const parsed = await parsePayload({ method: "POST", url, contentType, bytes: body.bytes });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
    expect(Object.entries(Object(parsed.payload))).toEqual([
      ["a", "1"],
      ["__proto__", "2"],
      ["f", { filename: "a.txt", mediaType: "text/plain", size: 3 }],
    ]);
  });

  it("keeps all digits of whole numbers", async () => {
    const bytes = new TextEncoder().encode('{"id":12345678901234567890}');
    const url = new URL(ADDRESS);
    const parsed = await parsePayload({ method: "POST", url, contentType: null, bytes });
    expect(parsed).toEqual({ ok: true, payload: { id: 12345678901234567890n } });
  });
});

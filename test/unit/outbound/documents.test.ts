import { describe, expect, it } from "vitest";
import { documentReader } from "../../../src/outbound/documents.ts";

const PDF = "application/pdf";
const head = { id: "1", name: "file.pdf", mimeType: PDF };

/** Reads a document by a Workers AI that answers like this; returns what it was asked too. */
async function read(answer: ConversionResponse) {
  const asked: unknown[] = [];
  const reader = documentReader({
    AI: {
      async toMarkdown({ name, blob }, options) {
        asked.push(name, blob.type, await blob.text(), options.conversionOptions?.pdf);
        return answer;
      },
    },
  });
  return { found: await reader?.("Application/PDF", new TextEncoder().encode("%PDF")), asked };
}

describe("the document reader", () => {
  it("is the conversion of Workers AI, without descriptions of images", async () => {
    const { found, asked } = await read({ ...head, format: "markdown", tokens: 2, data: "Pay." });
    expect(found).toEqual({ ok: true, text: "Pay." });
    const pdf = { images: { convert: false }, metadata: false };
    expect(asked).toEqual(["file.pdf", PDF, "%PDF", pdf]);
  });

  it("cuts long texts, with a note", async () => {
    const data = "x".repeat(2_097_153);
    const { found } = await read({ ...head, format: "markdown", tokens: 1, data });
    expect(found).toEqual({ ok: true, text: data.slice(1), cutAt: "2097152 characters" });
  });

  it("reports documents that cannot be converted", async () => {
    const { found } = await read({ ...head, format: "error", error: "Encrypted." });
    expect(found).toEqual({ ok: false, reason: "unreadable" });
  });

  it("is null without a binding", () => {
    expect(documentReader({})).toBeNull();
  });
});

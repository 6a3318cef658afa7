import { afterAll, beforeAll, expect, test } from "vitest";
import { toBase64 } from "../../src/lib/encoding.ts";
import { type Client, createAccount } from "../support/client.ts";
import { finishes } from "../support/model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "../support/model-server/server.ts";
import { pdfOf } from "../support/pdf.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
let model: ModelServer;
let client: Client;

beforeAll(async () => {
  model = await startModelServer();
  service = await startTestService({ OPENAI_BASE_URL: model.baseUrl });
  client = await createAccount(service);
});

afterAll(() => Promise.all([service.close(), model.close()]));

test("the files of an accepted execution reach its model after a kill", async () => {
  const file = (name: string, mediaType: string, bytes: Uint8Array) => ({
    name,
    mediaType,
    data: toBase64(bytes),
  });
  const text = (content: string) => new TextEncoder().encode(content);
  model.script("reader", () => finishes("Read."));
  const id = await client.trigger({
    prompt: "Read the files.",
    model: "openai/reader",
    files: [
      file("prices.csv", "text/csv", text("name,price\nTea,3\nMug,4\n")),
      file("invoice.pdf", "application/pdf", pdfOf("Pay 12 EUR.", "Until May.")),
      file("large.txt", "text/plain", text(`Total 7. ${"x".repeat(3_000_000)}`)),
    ],
  });
  await service.kill9();
  await service.restart();
  expect(await client.ended(id)).toMatchObject({ status: "completed" });
  const prompt = JSON.stringify(model.requests.at(-1)?.body.messages);
  for (const part of ["Mug,4", "Pay 12 EUR.", "Until May.", "Total 7."])
    expect(prompt).toContain(part);
  expect(service.errors()).toEqual([]);
});

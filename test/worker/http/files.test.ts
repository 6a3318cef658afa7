import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { rehearsalRecord } from "../../../src/contract/rehearsals.ts";
import { executionStep, executionTask } from "../../../src/contract/task.ts";
import { toBase64 } from "../../../src/lib/encoding.ts";
import { pdfOf } from "../../support/pdf.ts";
import {
  AGENT,
  callsOf,
  expectProblem,
  faultsOf,
  newAccount,
  newKey,
  ORIGIN,
  resultOf,
  send,
  textIn,
  trigger,
  untilStatus,
} from "../../support/worker/client.ts";
import { newEndpoint } from "../../support/worker/endpoints.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const { apiKey, get, post } = await newAccount({ credits: 100_000 });
const KIB = 1_024;
const MIB = KIB * KIB;

const csv = { name: "prices.csv", mediaType: "text/csv", data: btoa("name,price\nTea,3\nMug,4\n") };
const image = { name: "mug.png", mediaType: "image/png", data: btoa("\x89PNG pixels") };

/** Sums the prices of the first file. */
const sum = promptOf(
  {
    calls: [
      {
        tool: "process_data",
        input: { sources: [{ callId: "file_1" }], extract: { kind: "table" } },
      },
    ],
  },
  { finish: { summary: "Summed." } },
);
const summing = { prompt: sum, model: "openai/scripted" };

async function read<T>(id: string, part: string, shape: z.ZodType<T>): Promise<T> {
  return shape.parse(await (await get(`${AGENT}/trigger/${id}/${part}`)).json());
}

/** Creates the workflow that sums the first file. */
async function summingWorkflow(): Promise<string> {
  const body = { name: "sum", prompt: sum, model: "openai/scripted" };
  return textIn(await post("/api/v1/workflows", body), "workflowId");
}

/** Returns what the model read of the files at first, and of the first file by a tool. */
async function seenBy(id: string) {
  await untilStatus(apiKey, id, "completed", "failed");
  const first = await read(id, "steps/1", executionStep);
  const second = await read(id, "steps/2", executionStep);
  const prompt = first.messages.find(({ role }) => role === "user")?.text ?? "";
  const answer = second.messages.find(({ role }) => role === "tool")?.text ?? "";
  const [, data = ""] = answer.split("\n");
  return { prompt, answer: data };
}

const idOf = (response: Response) => textIn(response, "executionId");

describe("the files of an execution", () => {
  it("are available to the model and its tools, and listed in its task", async () => {
    const site = mailbox();
    await site.answer({ headers: { "content-type": "text/plain" }, body: "Pay in May." });
    const letter = { name: "letter.txt", mediaType: "text/plain", url: site.url };
    const id = await trigger(apiKey, { ...summing, files: [csv, letter, image] });
    const { prompt, answer } = await seenBy(id);
    expect(prompt).toContain('file_1: "prices.csv" (text/csv, 23 bytes)');
    expect(prompt).toMatch(/<untrusted_data source="file" call_id="file_1">[^<]*Mug,4/);
    expect(prompt).toMatch(/<untrusted_data source="file" call_id="file_2">[^<]*Pay in May\./);
    expect(prompt).toContain('file_3: "mug.png" (image/png, 11 bytes), which you cannot read.');
    expect(answer).toContain('"Mug"');
    expect((await read(id, "task", executionTask)).files).toEqual([
      { name: "prices.csv", mediaType: "text/csv", sizeBytes: 23 },
      { name: "letter.txt", mediaType: "text/plain", sizeBytes: 11 },
      { name: "mug.png", mediaType: "image/png", sizeBytes: 11 },
    ]);
  });

  it("are converted to Markdown if they are documents, with a note if there is no text", async () => {
    const file = (name: string, bytes: Uint8Array) => ({
      name,
      mediaType: "application/pdf",
      data: toBase64(bytes),
    });
    const files = [
      file("invoice.pdf", pdfOf("Pay 12 EUR.", "Until May.")),
      file("scan.pdf", pdfOf("")),
      file("damaged.pdf", new Uint8Array([1, 2, 3])),
    ];
    const id = await trigger(apiKey, { ...summing, files });
    const { prompt } = await seenBy(id);
    expect(prompt).toMatch(/call_id="file_1">[^<]*Pay 12 EUR\.\s+## Page 2\s+Until May\./);
    expect(prompt).toMatch(
      /"scan\.pdf" .*cannot read\. It has no text: its pages may be images\. Say/,
    );
    expect(prompt).toMatch(/"damaged\.pdf" .*cannot read\. Its content could not be read\. Say/);

    const fork = await idOf(await post(`${AGENT}/trigger/${id}/fork`, { afterStep: 0 }));
    expect((await seenBy(fork)).prompt).toContain("Pay 12 EUR.");
  });

  it("mark results as truncated if they cannot be read whole", async () => {
    const rows = `name,price\n${"Tea,3\n".repeat(MIB / 2)}`;
    const id = await trigger(apiKey, {
      ...summing,
      files: [{ ...csv, data: btoa(rows) }],
    });
    await untilStatus(apiKey, id, "completed");
    const { outputs } = await resultOf(apiKey, id);
    expect(outputs.length).toBeGreaterThan(0);
    for (const output of outputs) {
      expect(output.truncated).toBe(true);
      expect(output.sources).toContainEqual({ eventSeq: 1, cut: "2 MiB" });
    }
  });

  it("survive the loss of all objects before the execution starts", async () => {
    const bytes = "x".repeat(2 * MIB);
    const files = [csv, { name: "large.txt", mediaType: "text/plain", data: btoa(bytes) }];
    const id = await trigger(apiKey, { ...summing, files });
    await abortAllDurableObjects();
    const { prompt } = await seenBy(id);
    expect(prompt).toContain("Mug,4");
    expect(prompt).toContain(`of ${2 * MIB} are shown`);
  });

  it("are shared by its forks and rehearsals, and each execution of a workflow and a batch has its own", async () => {
    const workflow = `/api/v1/workflows/${await summingWorkflow()}`;
    const id = await idOf(await post(`${workflow}/run`, { files: [csv] }));
    const { answer } = await seenBy(id);
    expect(answer).toContain('"Mug"');
    const fork = await idOf(await post(`${AGENT}/trigger/${id}/fork`, { afterStep: 0 }));
    expect(await seenBy(fork)).toMatchObject({ answer, prompt: expect.stringContaining("Mug,4") });
    const job = await textIn(await post(`${workflow}/rehearse`, { last: 1 }), "rehearsalId");
    const rehearsed = async () =>
      rehearsalRecord.parse(await (await get(`/api/v1/rehearsals/${job}`)).json());
    await expect.poll(async () => (await rehearsed()).status).toBe("completed");
    const [first] = (await rehearsed()).results;
    expect((await seenBy(first?.rehearsalExecutionId ?? "")).answer).toContain('"Mug"');

    const batch = { executions: [summing, { ...summing, files: [csv] }] };
    const { results } = z
      .object({ results: z.array(z.object({ executionId: z.string() })) })
      .parse(await (await post(`${AGENT}/trigger/batch`, batch)).json());
    const [without, having] = await Promise.all(
      results.map(({ executionId }) => seenBy(executionId)),
    );
    expect(without?.answer).not.toContain("Mug");
    expect(having?.answer).toContain('"Mug"');
  });
});

describe("the files of a webhook", () => {
  it("are its body, if the endpoint accepts files", async () => {
    const workflowId = await summingWorkflow();
    const { endpointId } = await newEndpoint(apiKey, { workflowId, validation: { files: true } });
    const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255]);
    const headers = { "Content-Type": "image/png" };
    const sent = await send(`/hooks/${endpointId}`, { method: "POST", body: bytes, headers });
    expect(sent.status).toBe(202);
    const task = await read(await idOf(sent), "task", executionTask);
    expect(task).toMatchObject({
      inputs: { payload: { file: { mediaType: "image/png", size: 6 } } },
      files: [{ name: "file_1", mediaType: "image/png", sizeBytes: 6 }],
    });
  });

  it("are those of its form", async () => {
    const { endpointId } = await newEndpoint(apiKey, { workflowId: await summingWorkflow() });
    const form = new FormData();
    form.append("order", "1007");
    form.append("prices", new File(["name,price\nTea,3\nMug,4\n"], "../x", { type: "text/csv" }));
    const sent = new Request(ORIGIN, { method: "POST", body: form });
    const response = await send(`/hooks/${endpointId}`, {
      method: "POST",
      body: new Uint8Array(await sent.arrayBuffer()),
      headers: { "Content-Type": sent.headers.get("Content-Type") ?? "" },
    });
    expect(response.status).toBe(202);
    const id = await idOf(response);
    expect((await seenBy(id)).answer).toContain('"Mug"');
    expect((await read(id, "task", executionTask)).files).toEqual([
      { name: "file_1", mediaType: "text/csv", sizeBytes: 23 },
    ]);
  });
});

describe("a request with files", () => {
  it("may have 10 MiB of files", async () => {
    const data = btoa("x".repeat(10 * MIB));
    const large = { name: "a.bin", mediaType: "application/octet-stream", data };
    const done = promptOf({ finish: { summary: "Done." } });
    const whole = { prompt: done, model: "openai/scripted", files: [large] };
    const id = await idOf(await post(`${AGENT}/trigger`, whole));
    await untilStatus(apiKey, id, "completed");
    expect((await resultOf(apiKey, id)).presentedResult.summary).toBe("Done.");
  });

  it("is read only up to 256 KiB without a valid key", async () => {
    const { apiKey: revoked, keyId } = await newKey(apiKey, { name: "revoked" });
    await callsOf(apiKey).remove(`/api/v1/keys/${keyId}`);
    let sent = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 64 * KIB;
        controller.enqueue(new Uint8Array(64 * KIB).fill(0x20));
        if (sent > 8 * MIB) controller.close();
      },
    });
    const response = await send(`${AGENT}/trigger`, {
      method: "POST",
      token: revoked,
      stream,
      headers: { "Content-Type": "application/json" },
    });
    await expectProblem(response, 401, "unauthorized");
    expect(sent).toBeLessThan(MIB);
  });

  it.each([
    [{ data: "no base64!" }, "files[0].data"],
    [{ url: "https://10.0.0.1/a" }, "files[0].url"],
  ])("is refused with %j", async (change, path) => {
    const file = { name: "a.pdf", mediaType: "application/pdf", ...change };
    const response = await post(`${AGENT}/trigger`, { ...summing, files: [file] });
    expect(await faultsOf(response)).toEqual([path]);
  });
});

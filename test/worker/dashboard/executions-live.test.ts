import { EventSourceParserStream } from "eventsource-parser/stream";
import { describe, expect, it, test } from "vitest";
import { browse } from "../../support/worker/dashboard.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { emits, newReader, type Reader } from "../../support/worker/runs.ts";

const DONE = { finish: { summary: "All done." } };
const NOTE = { label: "Note", type: "text", value: "as far as this" };

/** What keeps a run at work until it is opened. */
async function newGate() {
  const gate = mailbox();
  await gate.answer("hold");
  const step = { calls: [{ tool: "http_request", input: { method: "GET", url: gate.url } }] };
  return { step, reached: () => gate.letters(1), open: () => gate.answer(200) };
}

/** A reader in front of a run that has handed something over and is at work until its gate opens. */
async function working() {
  const reader = await newReader();
  const gate = await newGate();
  const id = await reader.start([emits(NOTE), gate.step, emits(NOTE), DONE]);
  await gate.reached();
  return { ...reader, id, gate };
}

/** Follows a run as a page does. */
async function follow({ session }: Reader, path: string) {
  const response = await browse(`/dashboard/executions${path}`, { cookie: session.cookie });
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("text/event-stream; charset=utf-8");
  if (response.body === null) throw new Error("there is no stream");
  return response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
}

/** The stream that a page follows. */
function streamOf(page: string): string {
  return /data-live="\/dashboard\/executions([^"]+)"/.exec(page)?.[1] ?? "";
}

describe("a page that follows an execution", () => {
  it("is told of each change and of the end, and then of nothing more", async () => {
    const reader = await working();
    const page = await reader.read(`/${reader.id}`);
    const stream = await follow(reader, streamOf(page));
    await reader.gate.open();
    const told: { event?: string | undefined; id?: string | undefined }[] = [];
    for await (const { event, id } of stream) if (event !== "waiting") told.push({ event, id });
    expect(told.at(-1)).toMatchObject({ event: "ended" });
    const versions = told.slice(0, -1).map(({ id }) => Number(id));
    expect(versions.length).toBeGreaterThan(0);
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    expect(told.slice(0, -1).every(({ event }) => event === "changed")).toBe(true);
  });
});

test("a line whose session has ended is told that it is over, for it to ask and be led away", async () => {
  const { id } = await working();
  const path = `/dashboard/executions/${id}/live?seen=1`;
  const cut = await browse(path, { headers: { Accept: "text/event-stream" } });
  expect(cut.headers.get("Content-Type")).toBe("text/event-stream; charset=utf-8");
  expect(await cut.text()).toBe("event: changed\ndata:\n\nevent: ended\ndata:\n\n");
});

import { EventSourceParserStream } from "eventsource-parser/stream";
import { describe, expect, it, test } from "vitest";
import { newKey, untilEvent, untilStatus } from "../../support/worker/client.ts";
import { browse, signedIn } from "../../support/worker/dashboard.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { emits, hiddenIn, newReader, type Reader } from "../../support/worker/runs.ts";

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
async function follow({ session }: Reader, path: string, headers: Record<string, string> = {}) {
  const response = await browse(`/dashboard/executions${path}`, {
    cookie: session.cookie,
    headers,
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("text/event-stream; charset=utf-8");
  if (response.body === null) throw new Error("there is no stream");
  return response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
}

/** The ids of the parts that an update brings. */
function partsOf(update: string): string[] {
  return [...update.matchAll(/(?:id="([\w-]+)"[^>]*)?hx-swap-oob="(?:\w+:#)?([\w-]+)"/g)].map(
    ([, id, target]) => id ?? target ?? "",
  );
}

/** The query of the request for an update that a page, or the last update, asks with. */
function seenBy(page: string): string {
  const names = ["first", "last", "outputs", "status", "ask", "effects"];
  return new URLSearchParams(names.map((name) => [name, hiddenIn(page, name)])).toString();
}

describe("a page that follows an execution", () => {
  it("is told of each change and of the end, and then of nothing more", async () => {
    const reader = await working();
    const page = await reader.read(`/${reader.id}`);
    const path = /sse-connect="\/dashboard\/executions([^"]+)"/.exec(page)?.[1] ?? "";
    const stream = await follow(reader, path);
    await reader.gate.open();
    const told: { event?: string | undefined; id?: string | undefined }[] = [];
    for await (const { event, id } of stream) told.push({ event, id });
    expect(told.at(-1)).toMatchObject({ event: "ended" });
    const versions = told.slice(0, -1).map(({ id }) => Number(id));
    expect(versions.length).toBeGreaterThan(0);
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    expect(told.slice(0, -1).every(({ event }) => event === "changed")).toBe(true);
  });

  it("takes up a line that was cut where it was, without being told again", async () => {
    const reader = await newReader();
    const id = await reader.started([DONE]);
    const first: unknown[] = [];
    let version = "";
    for await (const event of await follow(reader, `/${id}/live?since=0`)) {
      first.push(event.event);
      version = event.id ?? version;
    }
    expect(first).toEqual(["changed", "ended"]);
    const again: unknown[] = [];
    const headers = { "Last-Event-ID": version };
    for await (const { event } of await follow(reader, `/${id}/live?since=0`, headers))
      again.push(event);
    expect(again).toEqual(["ended"]);
  });

  it("is told that it is over when its key is revoked meanwhile", async () => {
    const { apiKey, id, session } = await working();
    const key = await newKey(apiKey, { name: "short-lived" });
    const reader = await newReader();
    const short = { ...reader, session: await signedIn(key.apiKey) };
    const stream = await follow(short, `/${id}/live?since=0`);
    await session.post(`/dashboard/keys/${key.keyId}/revoke`);
    const told: unknown[] = [];
    for await (const { event } of stream) told.push(event);
    expect(told.slice(-2)).toEqual(["changed", "ended"]);
    const update = await browse(`/dashboard/executions/${id}/changes`, {
      cookie: short.session.cookie,
      headers: { "HX-Request": "true" },
    });
    expect(update.headers.get("HX-Redirect")).toBe("/dashboard/sign-in?ended=1");
  });
});

test("a line whose session has ended is told that it is over, for it to ask and be led away", async () => {
  const { id } = await working();
  const path = `/dashboard/executions/${id}/live?since=1`;
  const cut = await browse(path, { headers: { Accept: "text/event-stream" } });
  expect(cut.headers.get("Content-Type")).toBe("text/event-stream; charset=utf-8");
  expect(await cut.text()).toBe("event: changed\ndata:\n\nevent: ended\ndata:\n\n");
});

describe("an update of the page", () => {
  it("brings no more than the numbers when nothing has happened", async () => {
    const { id, read } = await working();
    const page = await read(`/${id}`);
    const update = await read(`/${id}/changes?${seenBy(page)}`);
    expect(partsOf(update)).toEqual(["now", "seen"]);
    expect(seenBy(update)).toBe(seenBy(page));
  });

  it("brings what is new, and leaves alone what somebody may be typing into", async () => {
    const { id, gate, read, apiKey, session } = await working();
    const page = await read(`/${id}`);
    expect(page.match(/as far as this</g)).toHaveLength(1);
    await session.post(`/dashboard/executions/${id}/message`, { message: "Hello" });
    await untilEvent(apiKey, id, "message.queued");
    const first = await read(`/${id}/changes?${seenBy(page)}`);
    expect(partsOf(first)).toEqual(["now", "events", "seen"]);
    expect(first).toContain("Hello");
    await gate.open();
    await untilStatus(apiKey, id, "completed");
    const second = await read(`/${id}/changes?${seenBy(first)}`);
    expect(second).not.toContain("Hello");
    expect(second.match(/as far as this</g)).toHaveLength(1);
    expect(second).not.toContain('name="message"');
    expect(partsOf(second)).toEqual([
      "now",
      "status",
      "outcome",
      "usage",
      "outputs",
      "effects",
      "events",
      "callbacks",
      "run-actions",
      "say-actions",
      "redeliver",
      "seen",
    ]);
    expect(partsOf(await read(`/${id}/changes?${seenBy(second)}`))).toEqual(["now", "seen"]);
  });

  it("brings a question once", async () => {
    const { start, read, apiKey } = await newReader();
    const gate = await newGate();
    const asks = { calls: [{ tool: "ask_user", input: { question: "Which year?" } }] };
    const id = await start([gate.step, asks], { interactive: true });
    await gate.reached();
    const page = await read(`/${id}`);
    await gate.open();
    await untilStatus(apiKey, id, "waiting_for_input");
    const first = await read(`/${id}/changes?${seenBy(page)}`);
    expect(partsOf(first)).toContain("ask");
    expect(partsOf(await read(`/${id}/changes?${seenBy(first)}`))).not.toContain("ask");
  });

  it("adds nothing to a log of which an older part is shown", async () => {
    const { id, read } = await working();
    const page = await read(`/${id}?until=2`);
    expect(hiddenIn(page, "last")).toBe("");
    expect(partsOf(await read(`/${id}/changes?${seenBy(page)}`))).not.toContain("events");
  });

  it.each(["?last=x&outputs=-1&first=1e9", "?last=99999999999999999999", ""])(
    "asked for with nonsense brings all there is: %j",
    async (query) => {
      const { id, read } = await working();
      expect(partsOf(await read(`/${id}/changes${query}`))).toContain("outputs");
    },
  );
});

import type { Child } from "hono/jsx";
import type { Json } from "../../../contract/json.ts";
import type { LogEntry } from "../../../contract/webhooks/log.ts";
import type { PayloadValue } from "../../../contract/webhooks/payload.ts";
import { loggedPayload } from "../../../intake/logged.ts";
import { mediaOf } from "../../../intake/payload/parse.ts";
import { withoutBigints } from "../../../lib/json-values.ts";
import { ToldList } from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { IfMay } from "../../components/layout.tsx";
import type { Page } from "../../context.ts";
import { fingerprint } from "../../live.ts";
import { requestPath } from "../../paths.ts";
import { shownOf } from "./request-log.tsx";

/** A logged body as a page shows and edits it. */
export type RequestBody = Awaited<ReturnType<typeof requestBodyOf>>;

/** Parses the body of a request, or the query of a GET, as its endpoint does. */
export async function requestBodyOf(entry: LogEntry) {
  const { headers, body: text, bodyTruncated: isTruncated } = entry;
  const contentType = headers["content-type"] ?? null;
  const body = new TextEncoder().encode(text ?? "");
  const parsed = isTruncated ? null : await loggedPayload({ ...entry, contentType, body });
  return {
    text,
    isTruncated,
    // The log does not store bytes that are not text.
    isBinary: text !== null && /[\0\ufffd]/.test(text),
    media: mediaOf(contentType),
    payload: parsed?.ok ? parsed.payload : undefined,
  };
}

/** Returns a payload to send as JSON, with all digits of its long numbers. */
export function sendable(value: PayloadValue): Json {
  return withoutBigints(value, (long) => JSON.rawJSON(String(long)));
}

/** The most characters of a raw body that a page shows; the download has all. */
const MAX_RAW = 65_536;
/** A longer body is shown as text: a page of so many elements is slow. */
const MAX_FOLDED = 131_072;

/** A body as folding JSON where possible, with its raw text. */
function BodyView({ entry, body }: { entry: LogEntry; body: RequestBody }) {
  const { text, payload, media, isTruncated } = body;
  if (text === null) {
    return <p class="muted">{isTruncated ? "No longer stored." : "None"}</p>;
  }
  const isFolded =
    media !== "text" &&
    entry.method !== "GET" &&
    text.length <= MAX_FOLDED &&
    payload !== undefined;
  const notes = [
    isTruncated && "Only the beginning of the body is stored.",
    body.isBinary && "Binary bytes are shown as �.",
    !isTruncated && payload === undefined && "The body does not match its Content-Type.",
  ];
  return (
    <>
      <ToldList lines={notes.filter((note) => note !== false)} />
      {isFolded && <JsonView value={payload} />}
      <details open={!isFolded}>
        <summary>Raw</summary>
        <pre tabindex={0}>{text.slice(0, MAX_RAW)}</pre>
        {text.length > MAX_RAW && (
          <p class="hint">{`The first ${MAX_RAW} of ${text.length} characters.`}</p>
        )}
        <IfMay scope="webhooks:read">
          <p>
            <a href={requestPath(entry.endpointId, entry.requestId, "/body")} download>
              Download body
            </a>
          </p>
        </IfMay>
      </details>
    </>
  );
}

/** The request that was received: one part is open at a time. */
export function RequestView({ entry, body }: { entry: LogEntry; body: RequestBody }) {
  const parts = [
    ["Query", entry.query],
    ["Headers", entry.headers],
    ["Workflow inputs", entry.mappedInputs],
  ] as const;
  return (
    <section class="card came" aria-label="Request">
      <p>
        <code>{`${entry.method} ${entry.path}`}</code>
      </p>
      <Part title="Payload" isOpen>
        <BodyView entry={entry} body={body} />
      </Part>
      {parts.map(
        ([title, value]) =>
          Object.keys(value ?? {}).length > 0 && (
            <Part title={title}>
              <JsonView value={value} />
            </Part>
          ),
      )}
    </section>
  );
}

function Part({ title, isOpen, children }: { title: string; isOpen?: boolean; children: Child }) {
  return (
    <details name="part" open={isOpen}>
      <summary>
        <h3>{title}</h3>
      </summary>
      {children}
    </details>
  );
}

/** A logged request with its endpoint. */
export type Logged = Awaited<ReturnType<typeof loggedOf>>;

/** Loads a request of an endpoint's log, with the hash of what the reader sees. */
export async function loggedOf(http: Page, endpointId: string, requestId: string) {
  const { webhooks } = http.get("api");
  const [endpoint, entry] = await Promise.all([
    webhooks.get(endpointId),
    webhooks.request(endpointId, requestId),
  ]);
  const seen = await fingerprint(shownOf([entry]));
  return { endpoint, entry, body: await requestBodyOf(entry), seen };
}

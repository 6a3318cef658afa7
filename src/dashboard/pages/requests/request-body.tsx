import type { LogEntry } from "../../../contract/inbound/log.ts";
import type { PayloadValue } from "../../../contract/inbound/payload.ts";
import type { Json } from "../../../contract/json.ts";
import { type Media, mediaOf, parsePayload } from "../../../inbound/payload/parse.ts";
import { loggedAddress } from "../../../inbound/reevaluate.ts";
import { DataTable } from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { requestPath } from "../../paths.ts";

/** A logged body as it can be shown and edited. */
export interface RequestBody {
  /** As it was sent; null for none. */
  text: string | null;
  isTruncated: boolean;
  /** Whether some of it is no text: its bytes are not in the log's entry then. */
  isBinary: boolean;
  media: Media | null;
  /** What the endpoint reads in it, or in a GET's query; undefined where it reads nothing. */
  payload: PayloadValue | undefined;
}

/** Reads the body of an entry as its endpoint does. */
export async function requestBodyOf(entry: LogEntry): Promise<RequestBody> {
  const { method, query, headers, body: text, bodyTruncated: isTruncated } = entry;
  const contentType = headers["content-type"] ?? null;
  const bytes = new TextEncoder().encode(text ?? "");
  const url = loggedAddress({ query });
  const parsed = isTruncated ? null : await parsePayload({ method, url, contentType, bytes });
  return {
    text,
    isTruncated,
    isBinary: text !== null && /[\0\ufffd]/.test(text),
    media: mediaOf(contentType),
    payload: parsed?.ok ? parsed.payload : undefined,
  };
}

/** A payload for somebody to read and change; the digits of long numbers stay as they are. */
export function payloadText(payload: PayloadValue): string {
  const exact = (_: string, value: unknown) =>
    typeof value === "bigint" ? JSON.rawJSON(String(value)) : value;
  return JSON.stringify(payload, exact, 2);
}

/** A payload to be sent as JSON, with the digits of its long numbers. */
export function sendable(value: PayloadValue): Json {
  if (typeof value === "bigint") return JSON.rawJSON(String(value));
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(sendable);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, sendable(item)]));
}

declare global {
  interface JSON {
    /** A number that is written as its text says (ECMA-262, JSON.parse source text access). */
    rawJSON(text: string): { rawJSON: string };
  }
}

/** Characters of a raw body that a page shows; the rest is in the file. */
const MOST_RAW = 65_536;
/** A longer body is not folded out: a page of so many parts is slow to read for everybody. */
const MOST_FOLDED = 131_072;

/** A body as its kind is best read, with the raw text beside it. */
export function BodyView({ entry, body }: { entry: LogEntry; body: RequestBody }) {
  const { text, payload, media, isTruncated } = body;
  if (text === null) {
    return <p class="muted">{isTruncated ? "It is no longer kept." : "There was none."}</p>;
  }
  const isFolded =
    media !== "text" &&
    entry.method !== "GET" &&
    text.length <= MOST_FOLDED &&
    payload !== undefined;
  return (
    <>
      <Notes body={body} />
      {isFolded && <JsonView value={payload} />}
      <details class="raw" open={!isFolded}>
        <summary>Raw</summary>
        <pre tabindex={0}>{text.slice(0, MOST_RAW)}</pre>
        {text.length > MOST_RAW && (
          <p class="hint">{`The first ${MOST_RAW} of ${text.length} characters.`}</p>
        )}
        <p>
          <a href={`${requestPath(entry.endpointId, entry.requestId)}/body`} download>
            Download as it was logged
          </a>
        </p>
      </details>
    </>
  );
}

function Notes({ body: { isTruncated, isBinary, media, payload } }: { body: RequestBody }) {
  const notes = [
    isTruncated && "Only the beginning of the body was kept.",
    isBinary && "Not all of it is text: � stands for bytes that are none.",
    !isTruncated && payload === undefined && "It could not be read as what its Content-Type says.",
    (media === "form" || media === "multipart") &&
      payload !== undefined &&
      "A form, by its fields:",
  ].filter((note) => note !== false);
  return (
    <>
      {notes.map((note) => (
        <p class="hint">{note}</p>
      ))}
    </>
  );
}

/** What the log has in place of a credential. */
const REDACTED = "[redacted]";

/** A request as it came. */
export function RequestView({ entry, body }: { entry: LogEntry; body: RequestBody }) {
  const query = Object.entries(entry.query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  const headers = Object.entries(entry.headers);
  return (
    <section class="card snug came">
      <h2>Request</h2>
      <p>
        <code>{`${entry.method} ${entry.path}`}</code>
      </p>
      <h3>Body</h3>
      <BodyView entry={entry} body={body} />
      {query.length > 0 && <Pairs title="Query" pairs={query} />}
      {headers.length > 0 && <Pairs title="Headers" pairs={headers} />}
    </section>
  );
}

function Pairs({ title, pairs }: { title: string; pairs: [string, string][] }) {
  return (
    <>
      <h3>{title}</h3>
      <DataTable label={title} columns={["Name", "Value"]}>
        {pairs.map(([name, value]) => (
          <tr>
            <td>
              <code>{name}</code>
            </td>
            <td class="wrap">
              {value === REDACTED ? <em class="muted">redacted</em> : <code>{value}</code>}
            </td>
          </tr>
        ))}
      </DataTable>
    </>
  );
}

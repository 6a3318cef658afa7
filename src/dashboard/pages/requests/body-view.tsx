import type { LogEntry } from "../../../contract/inbound/log.ts";
import { JsonView } from "../../components/json-view.tsx";
import { entryPath } from "./paths.ts";
import type { RequestBody } from "./request-body.ts";

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
          <a href={`${entryPath(entry.endpointId, entry.requestId)}/body`} download>
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

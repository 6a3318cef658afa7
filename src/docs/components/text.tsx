import { prettyJson } from "../curl.ts";

/** A command or a program with a copy button. `id` is unique in the page. */
export function Snippet({ id, label, text }: { id: string; label: string; text: string }) {
  return (
    <figure class="copyable">
      <figcaption>{label}</figcaption>
      <pre id={id}>{text}</pre>
      <button type="button" data-copy={id} aria-label={`Copy: ${label}`}>
        Copy
      </button>
    </figure>
  );
}

const TOKEN = /("(?:[^"\\]|\\.)*")(:?)|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** A JSON value of a response. Text is shown as it is. */
export function Example({ label, value }: { label: string; value: unknown }) {
  const isText = typeof value === "string";
  return (
    <figure class="copyable example">
      <figcaption>{label}</figcaption>
      <pre>{isText ? value : <HighlightedJson json={prettyJson(value)} />}</pre>
    </figure>
  );
}

/** JSON with highlighted values. */
function HighlightedJson({ json }: { json: string }) {
  const parts = [];
  let end = 0;
  for (const found of json.matchAll(TOKEN)) {
    const [token, text, colon] = found;
    // Names of fields are not highlighted, which keeps the page small.
    if (text !== undefined && colon === ":") continue;
    parts.push(json.slice(end, found.index));
    parts.push(<span class={text === undefined ? "number" : "string"}>{token}</span>);
    end = found.index + token.length;
  }
  return (
    <>
      {parts}
      {json.slice(end)}
    </>
  );
}

/** Paragraphs of text; backticks mark code. */
export function Prose({ text }: { text: string }) {
  return (
    <>
      {text.split("\n\n").map((paragraph) => (
        <p>
          <Words text={paragraph} />
        </p>
      ))}
    </>
  );
}

/** A line of text; backticks mark code. */
export function Words({ text }: { text: string }) {
  const parts = text.split("`");
  return <>{parts.map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))}</>;
}

import { prettyJson } from "../json.ts";

/** A command or a program, to be copied whole. `id` is unique in the page. */
export function Snippet({ id, label, text }: { id: string; label: string; text: string }) {
  return (
    <figure class="copyable">
      <figcaption>{label}</figcaption>
      <pre id={id}>{text}</pre>
      <button type="button" class="quiet" data-copy={id} aria-label={`Copy: ${label}`}>
        Copy
      </button>
    </figure>
  );
}

const TOKEN = /("(?:[^"\\]|\\.)*")(:?)|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** A JSON value, as it would be answered. Text stands as it is. */
export function Example({ label, value }: { label: string; value: unknown }) {
  const isText = typeof value === "string";
  return (
    <figure class="copyable example">
      <figcaption>{label}</figcaption>
      <pre>{isText ? value : <Coloured json={prettyJson(value)} />}</pre>
    </figure>
  );
}

/** JSON whose values stand out from its names. */
function Coloured({ json }: { json: string }) {
  const parts = [];
  let end = 0;
  for (const found of json.matchAll(TOKEN)) {
    const [token, text, colon] = found;
    // The names of fields are left as they are, which keeps the page small.
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

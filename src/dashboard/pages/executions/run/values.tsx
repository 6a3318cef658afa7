import type { Json } from "../../../../contract/json.ts";
import { JsonView } from "../../../components/json-view.tsx";

/** Characters of a text, or of JSON, that a page shows. */
const MOST_CHARACTERS = 20_000;
/** Characters of JSON that a page lets fold: more of it would be too much for a browser. */
const MOST_FOLDING = 60_000;
/** Characters of one cell of a table. */
const MOST_IN_CELL = 1_000;
/** An address, say, which would make its column wider than the page. */
const LONG_WORD = /\S{30}/;

/** A text as it is, its beginning where it is long. `whole` is where all of it is. */
export function LongText({ text, whole }: { text: string; whole?: string }) {
  const isCut = text.length > MOST_CHARACTERS;
  return (
    <>
      <pre class="plain" tabindex={0}>
        {/* A browser drops the first end of a line. */}
        {text.startsWith("\n") ? `\n${beginning(text)}` : beginning(text)}
      </pre>
      {isCut && <Whole size={text.length} whole={whole} />}
    </>
  );
}

/** JSON that folds, in a frame that scrolls; long JSON as text, its beginning. */
export function LongJson({ value, label, whole }: { value: Json; label: string; whole?: string }) {
  const text = JSON.stringify(value, null, 2);
  if (text.length > MOST_FOLDING)
    return <LongText text={text} {...(whole !== undefined && { whole })} />;
  return (
    // What scrolls must be reachable by keyboard (axe: scrollable-region-focusable).
    <section class="json-frame" aria-label={label} tabindex={0}>
      <JsonView value={value} />
    </section>
  );
}

/** A value within a table; one with words too long for a column may be broken anywhere. */
export function Cell({ value }: { value: Json | undefined }) {
  if (value === null || value === undefined) {
    return (
      <td>
        <span class="muted">–</span>
      </td>
    );
  }
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const shown = text.length <= MOST_IN_CELL ? text : `${text.slice(0, MOST_IN_CELL)}…`;
  return <td {...(LONG_WORD.test(shown) && { class: "wrap" })}>{shown}</td>;
}

function beginning(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}

function Whole({ size, whole }: { size: number; whole: string | undefined }) {
  const first = `The first ${MOST_CHARACTERS.toLocaleString("en")} of ${size.toLocaleString("en")} characters.`;
  return (
    <p class="muted">
      {first}
      {whole !== undefined && (
        <>
          {" "}
          <a href={whole}>The whole</a>
        </>
      )}
    </p>
  );
}

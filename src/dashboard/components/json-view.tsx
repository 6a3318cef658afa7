import type { PayloadValue } from "../../contract/inbound/payload.ts";

/** Levels that are shown; what lies deeper would only lead off the page. */
const MOST_LEVELS = 40;
/** Levels that are open from the start. */
const OPEN_LEVELS = 2;
/** Entries of one object or array that are shown; a page must stay readable. */
const MOST_ENTRIES = 200;

/** JSON that folds, readable without scripts. */
export function JsonView({ value, level = 0 }: { value: PayloadValue; level?: number }) {
  if (value === null || typeof value !== "object") return <Scalar value={value} />;
  const isList = Array.isArray(value);
  const entries = isList
    ? value.map((item, at): [string, PayloadValue] => [String(at), item])
    : Object.entries(value);
  if (entries.length === 0) return <code class="json">{isList ? "[]" : "{}"}</code>;
  if (level === MOST_LEVELS) return <code class="json">{isList ? "[…]" : "{…}"}</code>;
  const count = `${entries.length} ${isList ? "item" : "field"}${entries.length === 1 ? "" : "s"}`;
  return (
    <details class="json" open={level < OPEN_LEVELS}>
      <summary>{isList ? `[ ${count} ]` : `{ ${count} }`}</summary>
      <dl>
        {entries.slice(0, MOST_ENTRIES).map(([name, item]) => (
          <div>
            <dt>{name}</dt>
            <dd>
              <JsonView value={item} level={level + 1} />
            </dd>
          </div>
        ))}
      </dl>
      {entries.length > MOST_ENTRIES && (
        <p class="muted">{`and ${entries.length - MOST_ENTRIES} more`}</p>
      )}
    </details>
  );
}

function Scalar({ value }: { value: string | number | bigint | boolean | null }) {
  const kind = value === null ? "null" : typeof value === "bigint" ? "number" : typeof value;
  const text = typeof value === "bigint" ? String(value) : JSON.stringify(value);
  return <code class={`json ${kind}`}>{text}</code>;
}

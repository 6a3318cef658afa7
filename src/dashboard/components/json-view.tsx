import { jsonObject } from "../../contract/json.ts";
import type { Comparable } from "../../lib/differences.ts";

/** The most levels that are shown: deeper ones do not fit the page. */
const MAX_LEVELS = 40;
/** The levels that start open. */
const OPEN_LEVELS = 2;
/** The most entries of one object or array that are shown. */
const MAX_ENTRIES = 200;

/** Returns what a button sends as `do` that picks the value at this path. */
export type Pick = (path: readonly (string | number)[], value: unknown) => string;

interface JsonViewProps {
  value: Comparable;
  level?: number;
  /** Makes each value a button of the form around it. */
  pick?: Pick | undefined;
  path?: readonly (string | number)[];
}

/** JSON of fewer lines fits on a page. */
const LONG = 20;

/** Returns how many lines a value takes, of which only whether they are many counts. */
function linesOf(value: Comparable | undefined, level = 0): number {
  if (value === null || typeof value !== "object" || level === MAX_LEVELS) return 1;
  const items = Object.values(value).slice(0, LONG);
  return items.reduce<number>((lines, item) => lines + linesOf(item, level + 1), 1);
}

/** Folding JSON that needs no scripts. Long JSON can be searched and has a switch of its wrapping. */
export function JsonView(props: JsonViewProps) {
  if (linesOf(props.value) <= LONG) return <Node {...props} />;
  return (
    <div class="json-long">
      <div class="json-tools">
        <input type="search" aria-label="Search this JSON" placeholder="Search" />
        <output />
        <label>
          <input type="checkbox" checked /> Wrap
        </label>
      </div>
      <Node {...props} />
    </div>
  );
}

/** All that the API shows of something, folded. */
export function AllSettings({ of, title = "All settings" }: { of: object; title?: string }) {
  return (
    <details>
      <summary>{title}</summary>
      <JsonView value={jsonObject.parse(of)} />
    </details>
  );
}

function Node({ value, level = 0, pick, path = [] }: JsonViewProps) {
  if (value === null || typeof value !== "object") {
    if (pick === undefined || typeof value === "bigint") return <Scalar value={value} />;
    return (
      <button type="submit" name="do" class="pick" value={pick(path, value)} formnovalidate>
        <Scalar value={value} />
      </button>
    );
  }
  const isList = Array.isArray(value);
  const entries = Object.entries<Comparable | undefined>(value);
  if (entries.length === 0) return <code class="json">{isList ? "[]" : "{}"}</code>;
  if (level === MAX_LEVELS) return <code class="json">{isList ? "[…]" : "{…}"}</code>;
  const count = `${entries.length} ${isList ? "item" : "field"}${entries.length === 1 ? "" : "s"}`;
  return (
    <details class="json" open={level < OPEN_LEVELS}>
      <summary>{isList ? `[ ${count} ]` : `{ ${count} }`}</summary>
      <dl>
        {entries.slice(0, MAX_ENTRIES).map(([name, item]) => (
          <div>
            <dt>{name}</dt>
            <dd>
              <Node
                value={item ?? null}
                level={level + 1}
                pick={pick}
                path={[...path, isList ? Number(name) : name]}
              />
            </dd>
          </div>
        ))}
      </dl>
      {entries.length > MAX_ENTRIES && (
        <p class="muted">{`and ${entries.length - MAX_ENTRIES} more`}</p>
      )}
    </details>
  );
}

function Scalar({ value }: { value: string | number | bigint | boolean | null }) {
  const kind = value === null ? "null" : typeof value === "bigint" ? "number" : typeof value;
  const text = typeof value === "bigint" ? String(value) : JSON.stringify(value);
  return <code class={`json ${kind}`}>{text}</code>;
}

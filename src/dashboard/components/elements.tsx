import type { Child } from "hono/jsx";

/** A moment, ISO 8601; the reader's browser shows it in its own zone. */
export function Time({ at }: { at: string | null }) {
  if (at === null) return <span class="muted">–</span>;
  return <time datetime={at}>{`${at.slice(0, 19).replace("T", " ")} UTC`}</time>;
}

const TONES = {
  active: "busy",
  queued: "busy",
  running: "busy",
  pending: "busy",
  waiting_for_input: "attention",
  uncertain: "attention",
  duplicate: "attention",
  completed: "good",
  succeeded: "good",
  delivered: "good",
  confirmed: "good",
  passed: "good",
  enabled: "good",
  changed: "attention",
  failed: "bad",
  rejected: "bad",
  refused: "bad",
  stopped: "idle",
  skipped: "idle",
  none: "idle",
} as const;

/** A state as a coloured word; the word alone says it all. */
export function Badge({ state }: { state: string }) {
  const known: Record<string, string> = TONES;
  return <span class={`badge ${known[state] ?? "idle"}`}>{state.replaceAll("_", " ")}</span>;
}

/** What there is to say where nothing is yet, and what to do next. */
export function Empty({ title, children }: { title: string; children: Child }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Text to be copied whole, such as a command. `id` is unique in its page. */
export function Copyable({ id, label, text }: { id: string; label: string; text: string }) {
  return (
    <figure class="copyable">
      <figcaption>{label}</figcaption>
      <pre id={id} tabindex={0}>
        {text}
      </pre>
      <button type="button" class="quiet" data-copy={id} aria-label={`Copy: ${label}`}>
        Copy
      </button>
    </figure>
  );
}

/** The way to the next page of a list; nothing on the last one. */
export function NextPage({ href }: { href: string | null }) {
  if (href === null) return null;
  return (
    <p class="pager">
      {/* By its id it keeps the focus when a live list replaces it. */}
      <a id="older" class="button" href={href} rel="next">
        Older
      </a>
    </p>
  );
}

/** Tells what has happened, or what went wrong, at the top of a page. */
export function Notice({ tone, children }: { tone: "good" | "bad"; children: Child }) {
  return (
    <div class={`notice ${tone}`} role={tone === "bad" ? "alert" : "status"}>
      {children}
    </div>
  );
}

/** A table in a frame that scrolls by itself where the page is too narrow. */
export function DataTable({
  label,
  columns,
  id,
  children,
}: {
  label: string;
  columns: readonly string[];
  /** Keeps the focus on the frame when the table is replaced by a newer one. */
  id?: string;
  children: Child;
}) {
  return (
    // What scrolls must be reachable by keyboard (axe: scrollable-region-focusable).
    <section class="table-frame" aria-label={label} tabindex={0} {...(id !== undefined && { id })}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col">{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

/** An address as a link where it leads to a web page, else as plain text: data names no other schemes. */
export function Address({ url, id }: { url: string; id?: string }) {
  if (!isWebAddress(url)) return <code>{url}</code>;
  return (
    <a href={url} rel="noopener noreferrer" target="_blank" {...(id !== undefined && { id })}>
      {url}
    </a>
  );
}

/** Whether a browser that follows it asks a web server, and runs nothing here. */
export function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

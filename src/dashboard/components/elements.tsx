import type { Child } from "hono/jsx";
import type { StoredIdentity } from "../../contract/revision.ts";
import { assetUrl, hasMark } from "../assets.ts";

/** A moment in ISO 8601; the reader's browser shows it in its own time zone, as a distance unless `isExact`. */
export function Time({ at, isExact = false }: { at: string | null; isExact?: boolean }) {
  if (at === null) return <NoValue />;
  const exact = isExact && { "data-exact": "" };
  return <time datetime={at} {...exact}>{`${at.slice(0, 19).replace("T", " ")} UTC`}</time>;
}

/** The colour and the icon of a state. */
const LOOKS: Readonly<Record<string, readonly [tone: string, icon: string]>> = {
  active: ["busy", "loader-circle"],
  running: ["busy", "loader-circle"],
  queued: ["busy", "clock"],
  pending: ["busy", "clock"],
  waiting_for_event: ["busy", "hourglass"],
  waiting_for_input: ["attention", "message-circle-question-mark"],
  uncertain: ["attention", "circle-alert"],
  duplicate: ["attention", "copy"],
  changed: ["attention", "replace"],
  completed: ["good", "circle-check"],
  succeeded: ["good", "circle-check"],
  delivered: ["good", "circle-check"],
  confirmed: ["good", "circle-check"],
  passed: ["good", "circle-check"],
  enabled: ["good", "circle-check"],
  failed: ["bad", "circle-x"],
  failing: ["bad", "circle-x"],
  rejected: ["bad", "ban"],
  refused: ["bad", "ban"],
  refuse: ["bad", "ban"],
  stopped: ["idle", "circle-stop"],
  superseded: ["idle", "replace"],
  held: ["idle", "circle-pause"],
  paused: ["idle", "circle-pause"],
  disabled: ["idle", "circle-off"],
};

/** A state as a coloured word with an icon, which add no information. */
export function Badge({ state, label }: { state: string; label?: string }) {
  const [tone, icon] = LOOKS[state] ?? ["idle", null];
  return (
    <span class={`badge ${tone}`}>
      {label ?? state.replaceAll("_", " ")}
      {icon !== null && <Icon name={icon} />}
    </span>
  );
}

/** A link that looks like a button. */
export function LinkButton({ href, children }: { href: string; children: Child }) {
  return (
    <a class="button" href={href}>
      {children}
    </a>
  );
}

/** The main button of a form. */
export function Submit({ children }: { children: Child }) {
  return (
    <button type="submit" class="primary">
      {children}
    </button>
  );
}

/** Says what will appear here, with one action. */
export function Empty({ title, children }: { title: string; children: Child }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Sentences as a list; nothing without any. */
export function ToldList({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <ul class="told">
      {lines.map((line) => (
        <li>{line}</li>
      ))}
    </ul>
  );
}

/** A part of a page with sentences, and what follows from them; nothing without any. */
export function Sentences({
  title,
  lines,
  tone = "",
  children,
}: {
  title: string;
  lines: readonly string[];
  tone?: "attention" | "";
  children?: Child;
}) {
  if (lines.length === 0) return null;
  return (
    <section class={`card ${tone}`.trim()}>
      <h2>{title}</h2>
      <ToldList lines={lines} />
      {children}
    </section>
  );
}

/** Facts by their names; absent ones are left out. */
export function Facts({ facts }: { facts: readonly (readonly [string, Child] | false)[] }) {
  return (
    <dl class="facts">
      {facts.map(
        (fact) =>
          fact !== false && (
            <>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </>
          ),
      )}
    </dl>
  );
}

/** Stands for a value that is absent. */
export function NoValue() {
  return <span class="muted none">–</span>;
}

/** Text to copy, such as a command. `id` is unique in its page. */
export function Copyable({ id, label, text }: { id: string; label: string; text: string }) {
  return (
    <figure class="copyable">
      <figcaption>
        {label}
        <button type="button" class="link" data-copy={id} aria-label={`Copy: ${label}`}>
          Copy
        </button>
      </figcaption>
      <pre id={id} tabindex={0}>
        {text}
      </pre>
    </figure>
  );
}

/** An id in full, with a button that copies it. `id` is unique in its page. */
export function CopiedId({ id, text }: { id: string; text: string }) {
  return (
    <>
      <code id={id}>{text}</code>{" "}
      <button type="button" class="link" data-copy={id} aria-label={`Copy ${text}`}>
        Copy
      </button>
    </>
  );
}

/** The link to the next page of a list; nothing on the last one. */
export function NextPage({ href }: { href: string | null }) {
  if (href === null) return null;
  return (
    <p class="pager">
      {/* With its id it keeps the focus when a live list replaces it. */}
      <a id="older" class="button" href={href} rel="next">
        Older
      </a>
    </p>
  );
}

/** Reports a success or an error at the top of a page. */
export function Notice({ tone, children }: { tone: "good" | "bad" | "neutral"; children: Child }) {
  return (
    <div class={`notice ${tone}`} role={tone === "bad" ? "alert" : "status"}>
      {children}
    </div>
  );
}

/** A URL as a link if it leads to a web page, else as text: agents can output any scheme. */
export function Address({ url }: { url: string }) {
  if (!isWebAddress(url)) return <code>{url}</code>;
  return (
    <a href={url} rel="noopener noreferrer" target="_blank">
      {url}
    </a>
  );
}

/** Tells whether following a URL asks a web server and runs no script in the page. */
export function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/** A drawing of `icons.svg`, beside words that say the same: screen readers skip it. */
export function Icon({ name }: { name: string }) {
  return (
    <svg class="icon" aria-hidden="true">
      <use href={`${assetUrl("icons.svg")}#${name}`} />
    </svg>
  );
}

/** The mark of a sender, or its initial, beside its name: screen readers skip it. */
export function SenderMark({ id, name }: { id: string; name: string }) {
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
      {hasMark(id) ? (
        <use href={`${assetUrl("senders.svg")}#${id}`} />
      ) : (
        <text x="12" y="19" font-size="20">
          {name.charAt(0).toUpperCase()}
        </text>
      )}
    </svg>
  );
}

/** The icons of the built-in tools; those of remote servers share one. */
const TOOL_ICONS: Readonly<Record<string, string>> = {
  browse: "globe",
  search_web: "search",
  http_request: "arrow-left-right",
  run_code: "square-terminal",
  process_data: "table",
  send_email: "mail",
  write_spreadsheet: "sheet",
  emit_output: "file-output",
  wait_for_event: "hourglass",
  ask_user: "message-circle-question-mark",
  finish: "flag",
};

/** Returns the icon of a tool by its name. */
export const iconOfTool = (tool: string): string => TOOL_ICONS[tool] ?? "server";

/** What keeps settings: files, with the revision and the commit of which they are, or people. */
export function KeptIn({ externalId, managedBy, revision }: StoredIdentity & { revision: number }) {
  if (managedBy === null) return <>the dashboard and the API</>;
  const { commit, revision: written } = managedBy;
  return (
    <>
      {`files, as ${externalId}, revision ${written}`}
      {commit !== undefined && ` of commit ${commit}`}
      {written !== revision && <strong>, changed by hand since</strong>}
    </>
  );
}

/** Says before a change by hand that files keep the settings. */
export function ManagedWarning({ externalId, managedBy }: StoredIdentity) {
  if (managedBy === null) return null;
  return (
    <p class="hint" role="note">
      Managed by files, as <code>{externalId}</code>. Change the file instead: the next{" "}
      <code>prompthook apply</code> stops at a change by hand until it is pulled or overwritten.
    </p>
  );
}

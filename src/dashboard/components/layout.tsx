import { html } from "hono/html";
import { type Child, createContext, useContext } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Scope } from "../../contract/keys.ts";
import { assetUrl } from "../assets.ts";
import type { Page, Reader } from "../context.ts";
import { Icon, Notice } from "./elements.tsx";

const ADMIN = { scope: "keys:admin" } as const;

/** The sections in groups, with the key that follows `g` to go there, and the scope without which they are hidden. */
const GROUPS = [
  [
    { id: "overview", label: "Overview", icon: "layout-dashboard", key: "o" },
    { id: "executions", label: "Executions", icon: "circle-play", key: "e" },
    {
      id: "decisions",
      label: "Decisions",
      icon: "message-circle-question-mark",
      key: "d",
      scope: "decisions:read",
    },
  ],
  [
    { id: "workflows", label: "Workflows", icon: "workflow", key: "f" },
    { id: "webhooks", label: "Webhooks", icon: "webhook", key: "w" },
    { id: "requests", label: "Requests", icon: "inbox", key: "r" },
    { id: "schedules", label: "Schedules", icon: "calendar-clock", key: "s" },
  ],
  [
    { id: "alerts", label: "Alerts", icon: "bell", key: "l", scope: "destinations:read" },
    { id: "usage", label: "Usage", icon: "chart-column", key: "u" },
    { id: "audit", label: "Audit log", icon: "scroll-text", key: "a", scope: "audit:read" },
  ],
  [
    { id: "models", label: "Models", icon: "cpu", key: "i", scope: "models:read" },
    {
      id: "destinations",
      label: "Destinations",
      icon: "send",
      key: "n",
      scope: "destinations:read",
    },
    { id: "connections", label: "Connections", icon: "plug", key: "c", ...ADMIN },
    { id: "mcp-servers", label: "MCP servers", icon: "server", key: "m", ...ADMIN },
    { id: "keys", label: "Keys", icon: "key-round", key: "k", ...ADMIN },
    { id: "members", label: "Members", icon: "users", key: "p", scope: "members:admin" },
  ],
] as const;

export type SectionId = (typeof GROUPS)[number][number]["id"];

/** Returns the name of a section, and the path of its first page. */
export function placeOf(section: SectionId): { title: string; path: string } {
  const title = GROUPS.flat().find(({ id }) => id === section)?.label ?? "";
  return { title, path: section === "overview" ? "/dashboard" : `/dashboard/${section}` };
}

/** A whole HTML document; without the doctype browsers use quirks mode. */
function Document({ title, children }: { title: string; children: Child }) {
  const content = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Prompthook`}</title>
        <link rel="icon" href={assetUrl("icon.svg")} />
        <link rel="stylesheet" href={assetUrl("style.css")} />
        <script src={assetUrl("morph.js")} defer />
        <script src={assetUrl("page.js")} defer />
        <script src={assetUrl("keys.js")} defer />
      </head>
      <body>{children}</body>
    </html>
  );
  return html`<!DOCTYPE html>${content}`;
}

/** A page for readers who are not signed in. */
export function Alone({ title, children }: { title: string; children: Child }) {
  return (
    <Document title={title}>
      <main class="alone" id="main">
        <h1 class="brand">
          <img src={assetUrl("icon.svg")} alt="" width="32" height="32" /> Prompthook
        </h1>
        {children}
      </main>
    </Document>
  );
}

/** A page that contains this one. */
interface Crumb {
  label: string;
  href: string;
}

/** Returns the first page of a section, on all its other pages. */
function crumbOf(section: SectionId | null, title: string): Crumb | null {
  if (section === null) return null;
  const { title: label, path: href } = placeOf(section);
  return title === label ? null : { label, href };
}

/** A page for readers who are signed in: navigation, title and actions. */
export function Layout({
  title,
  section,
  crumb = crumbOf(section, title),
  actions,
  notice = null,
  live = null,
  livePart,
  children,
}: {
  title: string;
  /** Null on a page outside of all sections. */
  section: SectionId | null;
  /** The page that contains it; the first one of the section by default. */
  crumb?: Crumb | null;
  actions?: Child;
  /** What came of the reader's last action. */
  notice?: string | null;
  /** The stream that reports when the page changes; null for a page that does not. */
  live?: string | null;
  /** Where a page that is shown once finds its changing part again, and the id of the part. */
  livePart?: { page: string; part: string } | undefined;
  children: Child;
}) {
  return (
    <Document title={title}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <div class="shell">
        <Side section={section} />
        <main
          id="main"
          tabindex={-1}
          {...(live !== null && { "data-live": live })}
          {...(livePart && { "data-page": livePart.page, "data-part": livePart.part })}
        >
          <div class="page-head">
            <div>
              {crumb !== null && (
                <nav class="crumb" aria-label="Breadcrumb">
                  <a href={crumb.href}>{crumb.label}</a>
                </nav>
              )}
              <h1>{title}</h1>
            </div>
            {actions !== undefined && <div class="actions">{actions}</div>}
          </div>
          {notice !== null && <Notice tone="good">{notice}</Notice>}
          {children}
        </main>
        <p id="paused" class="paused" aria-live="polite" />
      </div>
    </Document>
  );
}

function Side({ section }: { section: SectionId | null }) {
  const reader = useReader();
  const scopes: readonly string[] = reader?.scopes ?? ["keys:admin"];
  return (
    <header class="side">
      <a class="brand" href="/dashboard">
        <img src={assetUrl("icon.svg")} alt="" width="24" height="24" /> Prompthook
      </a>
      <a id="find" class="button find" href="/dashboard/search">
        <Icon name="search" /> Search <kbd>Ctrl K</kbd>
      </a>
      <button type="button" class="menu" popovertarget="sections">
        <Icon name="menu" /> Menu
      </button>
      {/* A popover on a phone only; elsewhere the style sheet shows it. */}
      <div id="sections" popover="auto">
        <nav aria-label="Sections">
          {GROUPS.map((group) => (
            <div>
              {group.map(
                (one) =>
                  (!("scope" in one) || scopes.includes(one.scope)) && (
                    <a
                      href={placeOf(one.id).path}
                      data-key={one.key}
                      title={`g ${one.key}`}
                      {...(one.id === section && { "aria-current": "page" })}
                    >
                      <Icon name={one.icon} /> {one.label}
                      {one.id === "decisions" && (
                        <span class="badge attention" id="waiting-count" hidden />
                      )}
                    </a>
                  ),
              )}
            </div>
          ))}
        </nav>
        <div class="side-foot">
          {reader !== null && <strong class="account">{reader.account}</strong>}
          {reader?.email !== undefined && <a href="/dashboard/accounts">{reader.email}</a>}
          <button type="button" class="link" id="times" aria-pressed="false">
            Exact times
          </button>
          {/* WCAG 2.2, 2.2.2: shown on pages that change by themselves. */}
          <button type="button" class="link" id="pause" aria-pressed="false">
            Pause updates
          </button>
          <a href="/docs/quickstart">Guides</a>
          <a href="/docs">API reference</a>
          <form method="post" action="/dashboard/sign-out">
            <button class="link" type="submit">
              Sign out
            </button>
          </form>
        </div>
      </div>
    </header>
  );
}

interface LinksProps {
  label: string;
  links: readonly { label: string; href: string; isCurrent?: boolean }[];
}

const linksAs = (look: string) =>
  function Links({ label, links }: LinksProps) {
    return (
      <nav class={look} aria-label={label}>
        {links.map(({ label: name, href, isCurrent }) => (
          <a href={href} {...(isCurrent && { "aria-current": "true" })}>
            {name}
          </a>
        ))}
      </nav>
    );
  };
/** Links to the parts of a page, one of which is shown. */
export const Tabs = linksAs("tabs");
/** Links to the values of a choice, of which the chosen ones are marked. */
export const Chips = linksAs("chips");

const ReaderContext = createContext<Reader | null>(null);

/** Answers with a page for the reader who is signed in. */
export function show(http: Page, content: Child, status: ContentfulStatusCode = 200) {
  const reader = http.get("reader") ?? null;
  return http.html(
    <ReaderContext.Provider value={reader}>{content}</ReaderContext.Provider>,
    status,
  );
}

/** Returns the reader of this page; null on a page outside of a session, and in sessions of earlier versions. */
export const useReader = (): Reader | null => useContext(ReaderContext);

/** Tells whether the reader's key has one of these scopes; sessions of earlier versions do not say. */
export const useMay = (...any: Scope[]): boolean =>
  useReader()?.scopes.some((scope) => any.includes(scope)) ?? true;

/** Shows what needs a scope, or else the other one, only to readers whose key has it. */
export function IfMay({ scope, or, children }: { scope: Scope; or?: Scope; children: Child }) {
  return <>{useMay(scope, or ?? scope) && children}</>;
}

interface PostButtonProps {
  scope: Scope;
  action: string;
  name?: string;
  value?: string;
  class?: string;
  "aria-label"?: string;
  children: Child;
}

/** A button that is a form by itself, for readers whose key may send it. */
export function PostButton({ scope, action, ...button }: PostButtonProps) {
  return (
    <IfMay scope={scope}>
      <form method="post" action={action}>
        <button type="submit" {...button} />
      </form>
    </IfMay>
  );
}

/** The main action of a page, a link to a form, for readers whose key may send it. */
export function Action({ scope, href, children }: { scope: Scope; href: string; children: Child }) {
  return (
    <IfMay scope={scope}>
      <a class="button primary" href={href}>
        {children}
      </a>
    </IfMay>
  );
}

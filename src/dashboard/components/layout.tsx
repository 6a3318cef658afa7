import { html } from "hono/html";
import type { Child } from "hono/jsx";
import { assetUrl } from "../assets.ts";

const SECTIONS = [
  { id: "overview", label: "Overview", href: "/dashboard" },
  { id: "executions", label: "Executions", href: "/dashboard/executions" },
  { id: "workflows", label: "Workflows", href: "/dashboard/workflows" },
  { id: "webhooks", label: "Webhooks", href: "/dashboard/webhooks" },
  { id: "keys", label: "Keys", href: "/dashboard/keys" },
  { id: "mcp-servers", label: "MCP servers", href: "/dashboard/mcp-servers" },
] as const;

export type SectionId = (typeof SECTIONS)[number]["id"];

/** Turns off the features of htmx that a strict Content-Security-Policy forbids. */
const HTMX = JSON.stringify({
  allowEval: false,
  includeIndicatorStyles: false,
  selfRequestsOnly: true,
  historyCacheSize: 0,
});

/** A whole HTML document; without the doctype browsers use quirks mode. */
export function Document({ title, children }: { title: string; children: Child }) {
  const content = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="htmx-config" content={HTMX} />
        <title>{`${title} · Prompthook`}</title>
        <link rel="icon" href={assetUrl("icon.svg")} />
        <link rel="stylesheet" href={assetUrl("style.css")} />
        <script src={assetUrl("htmx.js")} defer />
        <script src={assetUrl("htmx-sse.js")} defer />
        <script src={assetUrl("page.js")} defer />
      </head>
      <body>{children}</body>
    </html>
  );
  return html`<!DOCTYPE html>${content}`;
}

/** A page for readers who are signed in: navigation, title and actions. */
export function Layout({
  title,
  section,
  actions,
  children,
}: {
  title: string;
  /** Null on a page outside of all sections. */
  section: SectionId | null;
  actions?: Child;
  children: Child;
}) {
  return (
    <Document title={title}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <div class="shell">
        <header class="side">
          <a class="brand" href="/dashboard">
            Prompthook
          </a>
          <nav aria-label="Sections">
            {SECTIONS.map(({ id, label, href }) => (
              <a href={href} {...(id === section && { "aria-current": "page" })}>
                {label}
              </a>
            ))}
          </nav>
          <div class="side-foot">
            <a href="/docs">API reference</a>
            <form method="post" action="/dashboard/sign-out">
              <button class="link" type="submit">
                Sign out
              </button>
            </form>
          </div>
        </header>
        <main id="main" tabindex={-1}>
          <div class="page-head">
            <h1>{title}</h1>
            {actions !== undefined && <div class="actions">{actions}</div>}
          </div>
          {children}
        </main>
      </div>
    </Document>
  );
}

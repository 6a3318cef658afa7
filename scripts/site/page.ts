import { html, raw } from "hono/html";
import type { Guide } from "./markdown.ts";

/** The addresses of the files that pages load, which change with their contents. */
export type AssetUrls = ReadonlyMap<string, string>;

/** A guide's link in the navigation. */
interface GuideLink {
  name: string;
  title: string;
}

export interface GuideGroup {
  title: string;
  guides: GuideLink[];
}

/** Returns the page of a guide. */
export function guidePage(
  { title, html: text }: Guide,
  name: string,
  groups: readonly GuideGroup[],
  urls: AssetUrls,
): string {
  return page(
    title,
    urls,
    html`<link rel="stylesheet" href="${url(urls, "guides.css")}" />
      <script src="${url(urls, "guides.js")}" data-index="${url(urls, "search.json")}" defer></script>`,
    html`<div class="guide">
      <details class="contents" tabindex="0">
        <summary>Contents</summary>
        <nav aria-label="Guides">
          ${groups.map(
            (group) =>
              html`<h2>${group.title}</h2>
                <ul>
                  ${group.guides.map((each) => html`<li>${linkTo(each, each.name === name)}</li>`)}
                </ul>`,
          )}
        </nav>
      </details>
      <main id="main" tabindex="-1">
        ${raw(text)}
      </main>
    </div>`,
  );
}

/** Returns the page of the API reference, which a script fills from the document at `/openapi.json`. */
export function referencePage(urls: AssetUrls): string {
  return page(
    "API reference",
    urls,
    html`<link rel="stylesheet" href="${url(urls, "swagger-ui.css")}" />
      <link rel="stylesheet" href="${url(urls, "reference.css")}" />
      <script src="${url(urls, "swagger-ui-bundle.js")}" defer></script>
      <script src="${url(urls, "reference.js")}" defer></script>`,
    html`<main class="reference" id="main" tabindex="-1">
      <div class="introduction">
        <h1>API reference</h1>
        <p>
          Every operation of the API, from <a href="/openapi.json">the OpenAPI document</a>. What they
          have in common is in <a href="/docs/conventions">Conventions</a> and
          <a href="/docs/errors">Errors</a>. To try operations here, press Authorize and enter an API
          key; the page forgets it when you leave.
        </p>
        <noscript>
          <p>
            The reference needs JavaScript. The <a href="/docs/quickstart">guides</a> and the
            <a href="/llms.txt">list of operations</a> do not.
          </p>
        </noscript>
        <h2>Operations</h2>
      </div>
      <div id="reference"><p class="introduction">Loading …</p></div>
    </main>`,
  );
}

type Html = ReturnType<typeof html>;

function page(title: string, urls: AssetUrls, head: Html, body: Html): string {
  return `${html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Prompthook</title>
        <link rel="icon" href="${url(urls, "icon.svg")}" />
        <link rel="stylesheet" href="${url(urls, "base.css")}" />
        <link rel="stylesheet" href="${url(urls, "docs.css")}" />
        ${head}
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        <header class="bar">
          <a class="brand" href="/docs/quickstart">Prompthook</a>
          <nav aria-label="Documentation">
            <a href="/docs/quickstart">Guides</a>
            <a href="/docs">API reference</a>
            <a href="/dashboard">Dashboard</a>
          </nav>
          <search id="search" hidden>
            <label class="visually-hidden" for="query">Search the guides</label>
            <input id="query" type="search" placeholder="Search the guides" autocomplete="off" />
            <p class="visually-hidden" id="found" role="status"></p>
            <ul id="results" class="results" aria-label="Results" hidden></ul>
          </search>
        </header>
        ${body}
      </body>
    </html>`}`;
}

function linkTo({ name, title }: GuideLink, isCurrent: boolean): Html {
  const href = `/docs/${name}`;
  return isCurrent
    ? html`<a href="${href}" aria-current="page">${title}</a>`
    : html`<a href="${href}">${title}</a>`;
}

function url(urls: AssetUrls, name: string): string {
  const found = urls.get(name);
  if (found === undefined) throw new Error(`No page can load ${name}.`);
  return found;
}

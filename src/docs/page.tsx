import type { Hono } from "hono";
import { assetUrl } from "../dashboard/assets.ts";
import { PAGE_HEADERS } from "../dashboard/page-protection.ts";
import type { AppEnv } from "../http/context.ts";
import { apiDocument } from "../http/routes.ts";
import { memoize } from "../lib/lru-map.ts";
import { SchemasSection } from "./components/fields.tsx";
import { anchorOf, Navigation } from "./components/navigation.tsx";
import { OperationSection } from "./components/operation.tsx";
import { ProblemsSection } from "./components/problems.tsx";
import { Words } from "./components/text.tsx";
import { type CurlTarget, type GuideContext, idNamesIn } from "./curl.ts";
import { CallbackGuide } from "./guides/callbacks.tsx";
import { Conventions } from "./guides/conventions.tsx";
import { McpGuide } from "./guides/mcp.tsx";
import { StartGuide } from "./guides/start.tsx";
import { WebhookGuide } from "./guides/webhooks.tsx";
import { llmsText } from "./llms.ts";
import { type Reference, type ReferenceOperation, referenceOf } from "./reference.ts";
import { type Place, reachable, recursive } from "./schema.ts";

/** The number of origins under which one isolate keeps the page. */
const MAX_ORIGINS = 4;

const pageFor = memoize(MAX_ORIGINS, async (origin) => {
  const reference = referenceOf(apiDocument());
  return `<!DOCTYPE html>${await (<DocsPage reference={reference} origin={origin} />)}`;
});

const llmsFor = memoize(MAX_ORIGINS, (origin) => llmsText(referenceOf(apiDocument()), origin));

/** Serves the API reference at `/docs`, one page generated from the document at `/openapi.json`, and `/llms.txt`. */
export function mountDocs(app: Hono<AppEnv>): void {
  app.get("/docs", PAGE_HEADERS, async (http) => {
    http.header("Cache-Control", "public, max-age=300");
    return http.html(await pageFor(new URL(http.req.url).origin));
  });
  app.get("/llms.txt", (http) => {
    http.header("Cache-Control", "public, max-age=300");
    return http.text(llmsFor(new URL(http.req.url).origin));
  });
}

/** The API reference for a reader of the service at `origin`. */
function DocsPage({ reference, origin }: { reference: Reference; origin: string }) {
  const { tags, callbacks, schemas } = reference;
  const operations = tags.flatMap((tag) => tag.operations);
  const target: CurlTarget = { origin, idNames: idNamesIn(operations) };
  const place: Place = { schemas, isInput: false, within: [] };
  const context: GuideContext = { target, callbacks, operation: (id) => find(operations, id) };
  return (
    <html lang="en">
      <Head />
      <body class="docs">
        <a class="skip" href="#main">
          Skip to content
        </a>
        <div class="shell">
          <header class="side">
            <a class="brand" href="/docs">
              Prompthook
            </a>
            {/* Shown by the script that filters. */}
            <div class="field" id="filter" hidden>
              <label for="filter-text">Filter</label>
              <input id="filter-text" type="search" autocomplete="off" spellcheck={false} />
              <p class="hint" id="filter-count" role="status" />
            </div>
            <Navigation tags={tags} />
            <div class="side-foot">
              <a href="/openapi.json">openapi.json</a>
              <a href="/dashboard">Dashboard</a>
            </div>
          </header>
          <main id="main" tabindex={-1}>
            <h1>API reference</h1>
            <Introduction origin={origin} />
            <StartGuide {...context} />
            <WebhookGuide {...context} />
            <CallbackGuide {...context} place={place} />
            <McpGuide {...context} />
            <Conventions />
            {tags.map(({ name, description, operations: own }) => (
              <section id={anchorOf(name)}>
                <h2>{name}</h2>
                <p>
                  <Words text={description} />
                </p>
                {own.map((operation) => (
                  <OperationSection operation={operation} place={place} target={target} />
                ))}
              </section>
            ))}
            <ProblemsSection />
            <SchemasSection names={namesToExplain(reference)} place={place} />
          </main>
        </div>
      </body>
    </html>
  );
}

function Head() {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>API reference · Prompthook</title>
      <link rel="icon" href={assetUrl("icon.svg")} />
      <link rel="stylesheet" href={assetUrl("style.css")} />
      <link rel="stylesheet" href={assetUrl("docs.css")} />
      <script src={assetUrl("page.js")} defer />
      <script src={assetUrl("docs.js")} defer />
    </head>
  );
}

function Introduction({ origin }: { origin: string }) {
  return (
    <section id="introduction">
      <p>
        Prompthook starts autonomous agents from a prompt or a webhook. An agent plans, opens web
        pages, calls APIs, runs code, writes spreadsheets and sends email. You read the result,
        follow it live, or have it delivered. The base URL of the API is{" "}
        <code>{origin}/api/v1</code>; its OpenAPI document is at{" "}
        <a href="/openapi.json">openapi.json</a>.
      </p>
    </section>
  );
}

function find(operations: readonly ReferenceOperation[], id: string): ReferenceOperation {
  const found = operations.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}

/** Returns the schemas that links point to: of responses, callbacks, errors, and recursive ones. */
function namesToExplain({ tags, callbacks, schemas }: Reference): string[] {
  const responses = tags.flatMap(({ operations }) => operations).flatMap((each) => each.responses);
  const bodies = callbacks.flatMap(({ operation }) => operation.body?.contents ?? []);
  const contents = [...responses.flatMap((response) => response.contents), ...bodies];
  const roots = [...contents.map(({ schema }) => schema), { $ref: "#/components/schemas/Problem" }];
  return [...new Set([...reachable(roots, schemas), ...recursive(schemas)])].sort();
}

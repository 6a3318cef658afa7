import { assetUrl } from "../dashboard/assets.ts";
import { anchorOf, Navigation } from "./components/navigation.tsx";
import { OperationSection } from "./components/operation.tsx";
import { ProblemsSection } from "./components/problems.tsx";
import { Words } from "./components/prose.tsx";
import { SchemasSection } from "./components/schemas.tsx";
import { type CurlTarget, idNamesIn } from "./curl.ts";
import { CallbackGuide } from "./guides/callbacks.tsx";
import { Conventions } from "./guides/conventions.tsx";
import type { GuideContext } from "./guides/guide.ts";
import { McpGuide } from "./guides/mcp.tsx";
import { StartGuide } from "./guides/start.tsx";
import { WebhookGuide } from "./guides/webhooks.tsx";
import type { Reference, ReferenceOperation } from "./reference.ts";
import { type Place, reachable, recursive } from "./schema/place.ts";

/** The API reference, for a reader who has the service from `origin`. */
export function DocsPage({ reference, origin }: { reference: Reference; origin: string }) {
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
            {/* Without scripts there is nothing that would filter. */}
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
        Prompthook starts autonomous agents from a prompt or from somebody's webhook. An agent
        plans, opens pages, calls APIs, runs code on what it finds and writes spreadsheets and
        e-mail; the result is read, streamed, or delivered to you. The API is at{" "}
        <code>{origin}/api/v1</code>, and described for machines in{" "}
        <a href="/openapi.json">openapi.json</a>.
      </p>
    </section>
  );
}

function find(operations: readonly ReferenceOperation[], id: string): ReferenceOperation {
  const found = operations.find((each) => each.id === id);
  if (found === undefined) throw new Error(`there is no operation ${id}`);
  return found;
}

/** The schemas that links lead to: of answers, of callbacks, of errors, and those that hold themselves. */
function namesToExplain({ tags, callbacks, schemas }: Reference): string[] {
  const answers = tags.flatMap(({ operations }) => operations).flatMap((each) => each.answers);
  const bodies = callbacks.flatMap(({ operation }) => operation.body?.contents ?? []);
  const contents = [...answers.flatMap((answer) => answer.contents), ...bodies];
  const roots = [...contents.map(({ schema }) => schema), { $ref: "#/components/schemas/Problem" }];
  return [...new Set([...reachable(roots, schemas), ...recursive(schemas)])].sort();
}

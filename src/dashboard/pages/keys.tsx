import type * as z from "zod";
import {
  type ApiKeyRecord,
  apiKeyCreated,
  createKeyBody,
  SCOPES,
  type Scope,
} from "../../contract/keys.ts";
import { Badge, Copyable, Facts, LinkButton, Notice, Time } from "../components/elements.tsx";
import { Layout, show } from "../components/layout.tsx";
import type { Column } from "../components/table.tsx";
import type { Dashboard, Page } from "../context.ts";
import { type Form, field, optionsOf } from "../forms/form.ts";
import { KEYS } from "../paths.ts";
import { readSession, redirectToShowOnce, takeShownOnce } from "../session.ts";
import { serveResource } from "./resource.tsx";

/** What each scope allows. */
const ALLOWS: Record<Scope, string> = {
  "executions:read": "View executions, their events, results, files and usage.",
  "executions:write": "Start executions and run workflows; message, approve and stop executions.",
  "credits:read": "View the balance.",
  "workflows:read": "View workflows.",
  "workflows:write": "Create, change and delete workflows.",
  "webhooks:read": "View endpoints and their request logs.",
  "webhooks:write": "Create, change and delete endpoints; replay requests.",
  "decisions:read": "View what waits for a person.",
  "decisions:write": "Answer questions; approve and deny calls.",
  "destinations:read": "View destinations.",
  "destinations:write": "Create, change and delete destinations.",
  "models:read": "View models.",
  "models:write": "Change models.",
  "members:admin": "Add, change and remove members.",
  "audit:read": "Read the audit log.",
  "keys:admin": "Create and revoke keys, including this one; manage connections and MCP servers.",
};

const FORM: Form<typeof createKeyBody> = {
  schema: createKeyBody,
  fields: {
    name: field.line("Name", { hint: "What the key is for, such as ci.", required: true }),
    scopes: field.boxes("Scopes", optionsOf(SCOPES), { hints: ALLOWS }),
    expiresAt: field.moment("Expires (UTC)", { hint: "Leave empty for never." }),
  },
};

/** Serves the account's API keys: list, create, revoke. */
export function serveKeys(app: Dashboard): void {
  serveResource(app, {
    section: "keys",
    scope: "keys:admin",
    calls: ({ keys }) => keys,
    rowsOf: ({ keys }) => keys,
    idOf: ({ keyId }) => keyId,
    nameOf: ({ name }) => name,
    columns: async (http) => keyColumns(await currentEnd(http), Date.now()),
    // The page that asks uses a key itself.
    seen: ({ keys }) => keys.map(({ lastUsedAt: _, ...key }) => key),
    empty: { title: "No keys yet", text: "Programs use the API with a key." },
    notices: { deleted: "Key revoked. It no longer works." },
    form: FORM,
    initial: { scopes: SCOPES },
    create: "Create key",
    created: showOnce,
    act: "revoke",
    isDeletable: (key) => stateOf(key, Date.now()) === "active",
    about: async ({ last4, scopes, lastUsedAt }, http) => (
      <>
        {last4 === (await currentEnd(http)) && (
          <Notice tone="bad">You are signed in with this key. Revoking it signs you out.</Notice>
        )}
        <p>Requests with this key fail at once. This cannot be undone.</p>
        <Facts
          facts={[
            ["Key", <code>{`…${last4}`}</code>],
            ["Scopes", scopesText(scopes)],
            ["Last used", lastUsedAt === null ? "never" : <Time at={lastUsedAt} />],
          ]}
        />
      </>
    ),
  });

  app.get("/keys/:keyId/created", async (http) => {
    const created = await takeShownOnce(http, apiKeyCreated);
    if (created === null) return http.redirect(KEYS, 303);
    const { name, apiKey, scopes, expiresAt } = created;
    return show(
      http,
      <Layout title="New key" section="keys">
        <Notice tone="good">Copy this key now. It is not shown again.</Notice>
        <Copyable id="new-key" label={name} text={apiKey} />
        <Facts
          facts={[
            ["Scopes", scopesText(scopes)],
            ["Expires", expiresAt === null ? "never" : <Time at={expiresAt} />],
          ]}
        />
        <p>
          <LinkButton href={KEYS}>View all keys</LinkButton>
        </p>
      </Layout>,
    );
  });
}

/** Redirects to the page that shows a new key once. */
export const showOnce = (http: Page, created: z.output<typeof apiKeyCreated>) =>
  redirectToShowOnce(http, `${KEYS}/${encodeURIComponent(created.keyId)}/created`, created);

/**
 * Returns the last characters of the key that the reader has signed in with. One other key in 15
 * million ends alike; it only causes a warning.
 */
async function currentEnd(http: Page): Promise<string | null> {
  return (await readSession(http))?.apiKey.slice(-4) ?? null;
}

function scopesText(scopes: readonly Scope[]): string {
  return scopes.length === SCOPES.length ? "all" : scopes.join(", ");
}

/** Tells whether a key works at `now`, in epoch milliseconds. */
function stateOf(
  { revokedAt, expiresAt }: ApiKeyRecord,
  now: number,
): "active" | "revoked" | "expired" {
  if (revokedAt !== null && Date.parse(revokedAt) <= now) return "revoked";
  return expiresAt !== null && Date.parse(expiresAt) <= now ? "expired" : "active";
}

/** Returns when a key stops working, null for never: a rotated key is revoked in the future. */
function endOf({ revokedAt, expiresAt }: ApiKeyRecord): string | null {
  if (revokedAt === null || expiresAt === null) return revokedAt ?? expiresAt;
  return revokedAt < expiresAt ? revokedAt : expiresAt;
}

/** Returns the columns of the list; `currentEnd` ends the key that the reader has signed in with. */
function keyColumns(currentEnd: string | null, now: number): Column<ApiKeyRecord>[] {
  return [
    {
      name: "Name",
      is: "wrap",
      cell: ({ name, last4, createdAt }) => (
        <>
          <strong>{name}</strong> <code>{`…${last4}`}</code>
          <p class="hint">
            Created <Time at={createdAt} />
          </p>
          {last4 === currentEnd && <p class="hint">You are signed in with this key.</p>}
        </>
      ),
    },
    { name: "Scopes", is: "wrap", cell: ({ scopes }) => scopesText(scopes) },
    {
      name: "State",
      cell: (key) => {
        const state = stateOf(key, now);
        return <Badge state={state === "active" ? "enabled" : state} label={state} />;
      },
    },
    { name: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
    { name: "Expires", cell: (key) => <Time at={endOf(key)} /> },
  ];
}

import * as z from "zod";
import {
  type ApiKeyRecord,
  apiKeyCreated,
  createKeyBody,
  rotateKeyBody,
  SCOPES,
  type Scope,
} from "../../../contract/keys.ts";
import { Badge, Copyable, Facts, LinkButton, Notice, Time } from "../../components/elements.tsx";
import { Layout } from "../../components/layout.tsx";
import { type Resource, serveList } from "../../components/list-page.tsx";
import { show } from "../../components/reader.tsx";
import type { Column } from "../../components/table.tsx";
import type { Dashboard, Page } from "../../context.ts";
import type { Form } from "../../forms/form.ts";
import { FormPage, serveCreation, serveForm } from "../../forms/form-page.tsx";
import { findIn } from "../../lookups.ts";
import { KEYS } from "../../paths.ts";
import { readSession, redirectToShowOnce, startSession, takeShownOnce } from "../../session.ts";
import { DeleteLink, serveDeletion } from "../resource.tsx";

const DAY_MS = 86_400_000;

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

/** Lifetimes of a new key in days; empty for no end. */
const LIFETIMES = [
  { value: "", label: "Never" },
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
];

/** How long a rotated key still works, in seconds. */
const OVERLAPS = [
  { value: "0", label: "Not at all" },
  { value: "3600", label: "For an hour" },
  { value: "86400", label: "For a day" },
  { value: "604800", label: "For a week" },
  { value: "2592000", label: "For 30 days" },
];

const NEW_KEY = {
  // The page offers a few lifetimes; the API takes any moment.
  schema: createKeyBody
    .omit({ expiresAt: true })
    .extend({ expiresIn: z.enum(LIFETIMES.map(({ value }) => value)).default("") }),
  fields: {
    name: { kind: "line", label: "Name", hint: "What the key is for, such as ci.", required: true },
    scopes: {
      kind: "boxes",
      label: "Scopes",
      options: SCOPES.map((scope) => ({ value: scope, label: scope, hint: ALLOWS[scope] })),
    },
    expiresIn: { kind: "select", label: "Expires", options: LIFETIMES },
  },
} satisfies Form;

const ROTATION = {
  schema: rotateKeyBody.refine(
    ({ overlapSeconds }) => OVERLAPS.some(({ value }) => value === `${overlapSeconds}`),
    {
      path: ["overlapSeconds"],
      error: "must be one of the offered durations",
    },
  ),
  fields: {
    overlapSeconds: { kind: "select", label: "The old key still works", options: OVERLAPS },
  },
  assemble: ({ overlapSeconds }) => ({ overlapSeconds: Number(overlapSeconds) }),
} satisfies Form;

const KEY_LIST: Resource = { title: "Keys", section: "keys", path: KEYS };

/** Serves the account's API keys: list, create, rotate, revoke. */
export function serveKeys(app: Dashboard): void {
  serveList(app, {
    ...KEY_LIST,
    load: (api, query) => api.keys.list(query),
    rowsOf: ({ keys }) => keys,
    around: currentEnd,
    columns: (end) => keyColumns(end, Date.now()),
    seen: ({ keys }) => withoutUse(keys),
    action: { scope: "keys:admin", href: `${KEYS}/new`, children: "Create key" },
    notices: { revoked: "Key revoked. It no longer works." },
  });

  serveCreation(app, {
    ...KEY_LIST,
    title: "Create key",
    submit: "Create key",
    form: NEW_KEY,
    initial: { scopes: SCOPES },
    create: (api, { expiresIn, ...body }) => {
      const end = new Date(Date.now() + Number(expiresIn) * DAY_MS).toISOString();
      return api.keys.create({ ...body, ...(expiresIn !== "" && { expiresAt: end }) });
    },
    done: (http, created) => showOnce(http, { created, replaced: null }),
  });

  app.get("/keys/:keyId/created", async (http) => {
    const once = await takeShownOnce(http, createdKey);
    return once === null ? http.redirect(KEYS, 303) : show(http, <CreatedPage {...once} />);
  });

  serveForm(app, {
    path: `${KEYS}/:id/rotate`,
    load: (http) => keyOf(http, http.req.param("id") ?? ""),
    form: () => ROTATION,
    initial: () => ({ overlapSeconds: 86_400 }),
    page: (state, { record, isCurrent }) => (
      <FormPage
        {...KEY_LIST}
        title={`Rotate ${record.name}`}
        submit="Rotate key"
        action={keyPath(record.keyId, "rotate")}
        state={state}
      >
        <p>
          A new key with the same name and scopes replaces this one. Distribute it while both keys
          work.
        </p>
        {isCurrent && <p>You are signed in with this key, and stay signed in with the new one.</p>}
        <KeyFacts record={record} />
      </FormPage>
    ),
    save: async (api, { overlapSeconds }, { loaded: { record } }) => ({
      revokedAt: new Date(Date.now() + overlapSeconds * 1_000).toISOString(),
      created: await api.keys.rotate(record.keyId, { overlapSeconds }),
    }),
    done: async (http, { created, revokedAt }, { loaded: { record, isCurrent } }) => {
      // A reader who signed in with the old key stays signed in when it stops working.
      if (isCurrent) {
        const reader = http.get("reader");
        await startSession(http, { apiKey: created.apiKey, ...(reader && { reader }) });
      }
      const worksUntil = endOf({ ...record, revokedAt }) ?? revokedAt;
      return showOnce(http, { created, replaced: { worksUntil, wasCurrent: isCurrent } });
    },
  });

  serveDeletion(app, {
    ...KEY_LIST,
    act: "revoke",
    find: keyOf,
    nameOf: ({ record }) => record.name,
    about: ({ record, isCurrent }) => (
      <>
        {isCurrent && (
          <Notice tone="bad">You are signed in with this key. Revoking it signs you out.</Notice>
        )}
        <p>Requests with this key fail at once. This cannot be undone.</p>
        <KeyFacts record={record} />
      </>
    ),
    remove: (api, id) => api.keys.revoke(id),
    done: "?done=revoked",
  });
}

/** Leaves out the times of use: the page that asks uses a key itself. */
function withoutUse(keys: readonly ApiKeyRecord[]): unknown {
  return keys.map(({ lastUsedAt: _, ...key }) => key);
}

/** Redirects to the page that shows a new key once. */
export const showOnce = (http: Page, created: CreatedKey) =>
  redirectToShowOnce(http, keyPath(created.created.keyId, "created"), created);

/** Returns the account's key of this id, if any, and whether the reader has signed in with it. */
async function keyOf(http: Page, id: string) {
  const record = await findIn(http.get("api").keys.all(), ({ keyId }) => keyId === id);
  return record && { record, isCurrent: record.last4 === (await currentEnd(http)) };
}

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

/** Returns the path of a page of a key. */
function keyPath(keyId: string, page: "rotate" | "revoke" | "created"): string {
  return `${KEYS}/${encodeURIComponent(keyId)}/${page}`;
}

/** Returns the columns of the list; `currentEnd` ends the key that the reader has signed in with. */
function keyColumns(currentEnd: string | null, now: number): Column<ApiKeyRecord>[] {
  return [
    {
      name: "Name",
      is: "wrap",
      isBare: true,
      cell: ({ name, last4, createdAt }) => (
        <div class="key-name">
          {name} <code>{`…${last4}`}</code>
          <p class="hint">
            Created <Time at={createdAt} />
          </p>
          {last4 === currentEnd && <p class="hint">You are signed in with this key.</p>}
        </div>
      ),
    },
    { name: "Scopes", is: "wrap", cell: ({ scopes }) => scopesText(scopes) },
    { name: "State", isBare: true, cell: (key) => <Badge state={stateOf(key, now)} /> },
    { name: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
    { name: "Expires", cell: (key) => <Time at={endOf(key)} /> },
    {
      name: "Actions",
      is: "keep",
      isBare: true,
      cell: (key) =>
        stateOf(key, now) === "active" && (
          <div class="actions key-actions">
            <a class="button" href={keyPath(key.keyId, "rotate")} aria-label={`Rotate ${key.name}`}>
              Rotate
            </a>
            <DeleteLink href={keyPath(key.keyId, "revoke")} name={key.name} verb="Revoke" />
          </div>
        ),
    },
  ];
}

const createdKey = z.object({
  created: apiKeyCreated,
  /** The key that the new one replaces; `wasCurrent` if the reader had signed in with it. */
  replaced: z.object({ worksUntil: z.string(), wasCurrent: z.boolean() }).nullable(),
});
type CreatedKey = z.output<typeof createdKey>;

/** Shows the text of a new key, which no other page does. */
function CreatedPage({ created, replaced }: CreatedKey) {
  return (
    <Layout title="New key" section="keys">
      <Notice tone="good">Copy this key now. It is not shown again.</Notice>
      <Copyable id="new-key" label={created.name} text={created.apiKey} />
      <section class="card" aria-label="Key">
        <Facts
          facts={[
            ["Scopes", scopesText(created.scopes)],
            ["Expires", created.expiresAt === null ? "never" : <Time at={created.expiresAt} />],
            replaced !== null && [
              "Old key",
              <>
                {replaced.worksUntil <= created.createdAt ? (
                  "no longer works"
                ) : (
                  <>
                    works until <Time at={replaced.worksUntil} />
                  </>
                )}
                {replaced.wasCurrent && ". You are now signed in with the new key."}
              </>,
            ],
          ]}
        />
      </section>
      <p>
        <LinkButton href={KEYS}>View all keys</LinkButton>
      </p>
    </Layout>
  );
}

/** What a page says of a key before it is rotated or revoked. */
function KeyFacts({ record: { last4, scopes, lastUsedAt } }: { record: ApiKeyRecord }) {
  return (
    <section class="card" aria-label="Key">
      <Facts
        facts={[
          ["Key", <code>{`…${last4}`}</code>],
          ["Scopes", scopesText(scopes)],
          ["Last used", lastUsedAt === null ? "never" : <Time at={lastUsedAt} />],
        ]}
      />
    </section>
  );
}

import * as z from "zod";
import {
  type ApiKeyRecord,
  type apiKeyCreated,
  createKeyBody,
  rotateKeyBody,
  SCOPES,
  type Scope,
} from "../../contract/account.ts";
import {
  Badge,
  Copyable,
  DataTable,
  Facts,
  NextPage,
  Notice,
  Time,
} from "../components/elements.tsx";
import { Layout } from "../components/layout.tsx";
import { show } from "../components/reader.tsx";
import type { Dashboard, Page } from "../context.ts";
import { Control, FormErrors, SubmitOrCancel } from "../forms/fields.tsx";
import { type Form, type FormState, shownForm, submit } from "../forms/form.ts";
import { postedForm } from "../forms/posted.ts";
import { listLivePath, streamPolled } from "../live.ts";
import { notFound } from "../lookups.ts";
import { KEYS, nextPath } from "../paths.ts";
import { readSession, startSession } from "../session.ts";

const COLUMNS = ["Name", "Scopes", "State", "Last used", "Expires", "Actions"];
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
  "keys:admin": "Create and revoke keys, including this one; add MCP servers.",
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

/** The account's API keys: list, create, rotate, revoke. */
export function serveKeys(app: Dashboard): void {
  app.get("/keys", async (http) => {
    const cursor = http.req.query("cursor");
    const page = await http.get("api").keys.list(cursor === undefined ? {} : { cursor });
    const end = await currentEnd(http);
    const isRevoked = http.req.query("done") === "revoked";
    const live = await listLivePath(KEYS, cursor, withoutUse(page.keys));
    const shown = { ...page, currentEnd: end, isRevoked, live, now: Date.now() };
    return show(http, <KeysPage {...shown} />);
  });
  app.get("/keys/live", (http) =>
    streamPolled(http, async () => withoutUse((await http.get("api").keys.list()).keys)),
  );

  app.get("/keys/new", (http) =>
    show(http, <NewKeyPage state={shownForm(NEW_KEY, { scopes: SCOPES })} />),
  );

  app.post("/keys", async (http) => {
    const created = await submit(NEW_KEY, await postedForm(http), ({ expiresIn, ...body }) => {
      const end = new Date(Date.now() + Number(expiresIn) * DAY_MS).toISOString();
      return http.get("api").keys.create({ ...body, ...(expiresIn !== "" && { expiresAt: end }) });
    });
    if (created.ok) return show(http, <CreatedPage created={created.value} replaced={null} />, 201);
    return show(http, <NewKeyPage state={created.state} />, created.state.refusal.status);
  });

  app.get("/keys/:keyId/rotate", async (http) => {
    const record = await keyOf(http, http.req.param("keyId"));
    const state = shownForm(ROTATION, { overlapSeconds: 86_400 });
    const isCurrent = record.last4 === (await currentEnd(http));
    return show(http, <RotatePage record={record} isCurrent={isCurrent} state={state} />);
  });
  app.post("/keys/:keyId/rotate", async (http) => rotate(http, http.req.param("keyId")));

  app.get("/keys/:keyId/revoke", async (http) => {
    const record = await keyOf(http, http.req.param("keyId"));
    const isCurrent = record.last4 === (await currentEnd(http));
    return show(http, <RevokePage record={record} isCurrent={isCurrent} />);
  });
  app.post("/keys/:keyId/revoke", async (http) => {
    await http.get("api").keys.revoke(http.req.param("keyId"));
    return http.redirect(`${KEYS}?done=revoked`, 303);
  });
}

/** Leaves out the times of use: the page that asks uses a key itself. */
function withoutUse(keys: ApiKeyRecord[]): unknown {
  return keys.map(({ lastUsedAt: _, ...key }) => key);
}

async function rotate(http: Page, keyId: string): Promise<Response> {
  const typed = await postedForm(http);
  const record = await keyOf(http, keyId);
  const wasCurrent = record.last4 === (await currentEnd(http));
  const now = Date.now();
  const rotated = await submit(ROTATION, typed, async ({ overlapSeconds }) => ({
    created: await http.get("api").keys.rotate(keyId, { overlapSeconds }),
    revokedAt: new Date(now + overlapSeconds * 1_000).toISOString(),
  }));
  if (!rotated.ok) {
    const page = <RotatePage record={record} isCurrent={wasCurrent} state={rotated.state} />;
    return show(http, page, rotated.state.refusal.status);
  }
  const { created, revokedAt } = rotated.value;
  // A reader who signed in with the old key stays signed in when it stops working.
  if (wasCurrent) {
    const reader = http.get("reader");
    await startSession(http, { apiKey: created.apiKey, ...(reader && { reader }) }, now);
  }
  const worksUntil = endOf({ ...record, revokedAt }) ?? revokedAt;
  return show(http, <CreatedPage created={created} replaced={{ worksUntil, wasCurrent }} />, 201);
}

/** Returns the account's key of this id; throws a 404 without one. */
async function keyOf(http: Page, keyId: string): Promise<ApiKeyRecord> {
  for await (const record of http.get("api").keys.all()) {
    if (record.keyId === keyId) return record;
  }
  throw notFound(http);
}

/**
 * Returns the last characters of the key that the reader has signed in with. One other key in 15
 * million ends alike; it only causes a warning.
 */
async function currentEnd(http: Page): Promise<string | null> {
  return (await readSession(http, Date.now()))?.apiKey.slice(-4) ?? null;
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

function keyPath(keyId: string, action: "rotate" | "revoke"): string {
  return `${KEYS}/${encodeURIComponent(keyId)}/${action}`;
}

/** The account's keys, including those that no longer work. */
function KeysPage({
  keys,
  nextCursor,
  currentEnd,
  isRevoked,
  live,
  now,
}: {
  keys: ApiKeyRecord[];
  nextCursor: string | null;
  currentEnd: string | null;
  /** Whether a key has just been revoked. */
  isRevoked: boolean;
  live: string | null;
  now: number;
}) {
  return (
    <Layout
      title="Keys"
      section="keys"
      live={live}
      actions={
        <a class="button primary" href={`${KEYS}/new`}>
          Create key
        </a>
      }
    >
      {isRevoked && <Notice tone="good">Key revoked. It no longer works.</Notice>}
      <DataTable label="API keys" columns={COLUMNS}>
        {keys.map((key) => (
          <KeyRow record={key} isCurrent={key.last4 === currentEnd} state={stateOf(key, now)} />
        ))}
      </DataTable>
      <NextPage href={nextPath(KEYS, nextCursor)} />
    </Layout>
  );
}

function KeyRow({
  record,
  isCurrent,
  state,
}: {
  record: ApiKeyRecord;
  isCurrent: boolean;
  state: ReturnType<typeof stateOf>;
}) {
  const { keyId, name } = record;
  return (
    <tr>
      <td class="wrap key-name">
        {name} <code>{`…${record.last4}`}</code>
        <p class="hint">
          Created <Time at={record.createdAt} />
        </p>
        {isCurrent && <p class="hint">You are signed in with this key.</p>}
      </td>
      <td class="wrap" data-label="Scopes">
        {scopesText(record.scopes)}
      </td>
      <td>
        <Badge state={state} />
      </td>
      <td data-label="Last used">
        <Time at={record.lastUsedAt} />
      </td>
      <td data-label="Expires">
        <Time at={endOf(record)} />
      </td>
      <td>
        {state === "active" && (
          <div class="row-actions key-actions">
            <a class="button" href={keyPath(keyId, "rotate")} aria-label={`Rotate ${name}`}>
              Rotate
            </a>
            <a class="button danger" href={keyPath(keyId, "revoke")} aria-label={`Revoke ${name}`}>
              Revoke
            </a>
          </div>
        )}
      </td>
    </tr>
  );
}

function NewKeyPage({ state }: { state: FormState }) {
  return (
    <Layout title="Create key" section="keys">
      <FormErrors of={state} />
      <form method="post" action={KEYS} class="card snug">
        <Control of={state} name="name" />
        <Control of={state} name="scopes" />
        <Control of={state} name="expiresIn" />
        <SubmitOrCancel submit="Create key" back={KEYS} />
      </form>
    </Layout>
  );
}

/** Shows the text of a new key, which no other page does. */
function CreatedPage({
  created,
  replaced,
}: {
  created: z.output<typeof apiKeyCreated>;
  /** The key that the new one replaces; `wasCurrent` if the reader had signed in with it. */
  replaced: { worksUntil: string; wasCurrent: boolean } | null;
}) {
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
        <a class="button" href={KEYS}>
          View all keys
        </a>
      </p>
    </Layout>
  );
}

function RotatePage({
  record,
  isCurrent,
  state,
}: {
  record: ApiKeyRecord;
  isCurrent: boolean;
  state: FormState;
}) {
  return (
    <Layout title={`Rotate ${record.name}`} section="keys">
      <p>
        A new key with the same name and scopes replaces this one. Distribute it while both keys
        work.
      </p>
      {isCurrent && <p>You are signed in with this key, and stay signed in with the new one.</p>}
      <KeyFacts record={record} />
      <form method="post" action={keyPath(record.keyId, "rotate")} class="card snug">
        <Control of={state} name="overlapSeconds" />
        <SubmitOrCancel submit="Rotate key" back={KEYS} />
      </form>
    </Layout>
  );
}

function RevokePage({ record, isCurrent }: { record: ApiKeyRecord; isCurrent: boolean }) {
  return (
    <Layout title={`Revoke ${record.name}?`} section="keys">
      {isCurrent && (
        <Notice tone="bad">You are signed in with this key. Revoking it signs you out.</Notice>
      )}
      <p>Requests with this key fail at once. This cannot be undone.</p>
      <KeyFacts record={record} />
      <form method="post" action={keyPath(record.keyId, "revoke")}>
        <SubmitOrCancel submit={`Revoke ${record.name}`} tone="danger" back={KEYS} />
      </form>
    </Layout>
  );
}

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

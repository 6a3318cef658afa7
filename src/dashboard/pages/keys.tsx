import type * as z from "zod";
import {
  type ApiKeyRecord,
  type apiKeyCreated,
  type createKeyBody,
  SCOPES,
  type Scope,
} from "../../contract/account.ts";
import { Badge, Copyable, DataTable, NextPage, Notice, Time } from "../components/elements.tsx";
import { Layout } from "../components/layout.tsx";
import type { Dashboard, Page } from "../context.ts";
import {
  type Faults,
  NO_FAULTS,
  type Refusal,
  Refused,
  refusalFor,
  refusalOf,
} from "../forms/errors.tsx";
import { Check, Input, Select, SendOrCancel } from "../forms/fields.tsx";
import { type Posted, postedForm } from "../forms/posted.ts";
import { notFound } from "../lookups.ts";
import { KEYS, keyPath } from "../paths.ts";
import { readSession, startSession } from "../session.ts";

/** What each scope allows. */
export const ALLOWS: Record<Scope, string> = {
  "executions:read": "See executions, their events, results and files, and what was used.",
  "executions:write":
    "Start executions and run workflows; write to executions, approve and stop them.",
  "credits:read": "See the balance.",
  "workflows:read": "See workflows.",
  "workflows:write": "Make, change and delete workflows.",
  "webhooks:read": "See endpoints, their request logs and what came in.",
  "webhooks:write": "Make, change and delete endpoints, replay requests.",
  "keys:admin": "Make and revoke keys, this one included, and register MCP servers.",
};

/** What a key may do, in short. */
export function scopesText(scopes: readonly Scope[]): string {
  return scopes.length === SCOPES.length ? "everything" : scopes.join(", ");
}

/** Whether a key works now, in a word. `now` in epoch milliseconds. */
export function stateOf(
  { revokedAt, expiresAt }: ApiKeyRecord,
  now: number,
): "active" | "revoked" | "expired" {
  if (revokedAt !== null && Date.parse(revokedAt) <= now) return "revoked";
  return expiresAt !== null && Date.parse(expiresAt) <= now ? "expired" : "active";
}

/** Until when a key works: a rotated one is revoked at a time to come. Null for ever. */
export function endOf({ revokedAt, expiresAt }: ApiKeyRecord): string | null {
  if (revokedAt === null || expiresAt === null) return revokedAt ?? expiresAt;
  return revokedAt < expiresAt ? revokedAt : expiresAt;
}

/** For how long a new key works, in days; empty for ever. */
export const LIFETIMES = [
  { value: "", label: "Never" },
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
];

/** For how long a key that is rotated still works, in seconds. */
export const OVERLAPS = [
  { value: "0", label: "It stops at once" },
  { value: "3600", label: "For an hour" },
  { value: "86400", label: "For a day" },
  { value: "604800", label: "For a week" },
  { value: "2592000", label: "For 30 days" },
];

/** The account's key of this id; throws a 404 where there is none. */
export async function keyOf(http: Page, keyId: string): Promise<ApiKeyRecord> {
  for await (const record of http.get("api").keys.all()) {
    if (record.keyId === keyId) return record;
  }
  throw notFound(http);
}

/**
 * The end of the key that the reader has signed in with. Another key may end alike, one in 15 million;
 * it is only warned about.
 */
export async function currentEnd(http: Page): Promise<string | null> {
  return (await readSession(http, Date.now()))?.slice(-4) ?? null;
}

const COLUMNS = ["Name", "May", "State", "Last used", "Works until", "Actions"];

/** The account's keys, those that no longer work included. */
export function KeysPage({
  keys,
  nextCursor,
  currentEnd,
  isRevoked,
  now,
}: {
  keys: ApiKeyRecord[];
  nextCursor: string | null;
  /** The end of the key that the reader has signed in with. */
  currentEnd: string | null;
  /** Whether a key has just been revoked. */
  isRevoked: boolean;
  now: number;
}) {
  return (
    <Layout
      title="Keys"
      section="keys"
      actions={
        <a class="button primary" href={`${KEYS}/new`}>
          Make a key
        </a>
      }
    >
      {isRevoked && <Notice tone="good">The key is revoked: it no longer works.</Notice>}
      <DataTable label="API keys" columns={COLUMNS}>
        {keys.map((key) => (
          <KeyRow record={key} isCurrent={key.last4 === currentEnd} now={now} />
        ))}
      </DataTable>
      <NextPage href={nextCursor && `${KEYS}?cursor=${encodeURIComponent(nextCursor)}`} />
    </Layout>
  );
}

function KeyRow({
  record,
  isCurrent,
  now,
}: {
  record: ApiKeyRecord;
  isCurrent: boolean;
  now: number;
}) {
  const { keyId, name } = record;
  const state = stateOf(record, now);
  return (
    <tr>
      <td class="key-name">
        {name} <code>{`…${record.last4}`}</code>
        <p class="hint">
          Made <Time at={record.createdAt} />
        </p>
        {isCurrent && <p class="hint">You have signed in with it.</p>}
      </td>
      <td class="wrap">{scopesText(record.scopes)}</td>
      <td>
        <Badge state={state} />
      </td>
      <td>
        <Time at={record.lastUsedAt} />
      </td>
      <td>
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

/** What became of the key that a new one replaces. */
export interface Replaced {
  /** ISO 8601. */
  worksUntil: string;
  /** Whether the reader had signed in with it, and goes on with the new one. */
  wasCurrent: boolean;
}

/** Shows the text of a new key, which can be seen only here. */
export function MadePage({
  created,
  replaced,
}: {
  created: z.output<typeof apiKeyCreated>;
  replaced: Replaced | null;
}) {
  return (
    <Layout title="New key" section="keys">
      <Notice tone="good">This key is shown only now. Keep it where secrets are kept.</Notice>
      <Copyable id="new-key" label={created.name} text={created.apiKey} />
      <section class="card" aria-label="The key">
        <dl class="facts">
          <dt>It may</dt>
          <dd>{scopesText(created.scopes)}</dd>
          <dt>It expires</dt>
          <dd>{created.expiresAt === null ? "never" : <Time at={created.expiresAt} />}</dd>
          {replaced !== null && (
            <>
              <dt>The old key</dt>
              <dd>
                works until <Time at={replaced.worksUntil} />
                {replaced.wasCurrent && ". You go on here with the new one."}
              </dd>
            </>
          )}
        </dl>
      </section>
      <p>
        <a class="button" href={KEYS}>
          To all keys
        </a>
      </p>
    </Layout>
  );
}

/** A new key as it was typed. */
export interface KeyDraft {
  name: string;
  scopes: readonly Scope[];
  expiresIn: string;
}

export const NEW_DRAFT: KeyDraft = { name: "", scopes: SCOPES, expiresIn: "" };

/** The name of a scope's box. */
export function boxOf(scope: Scope): string {
  return `scope:${scope}`;
}

/** Asks what a new key is for, and what it may do. */
export function NewKeyPage({ draft, refusal }: { draft: KeyDraft; refusal: Refusal | null }) {
  const faults = refusal?.faults ?? NO_FAULTS;
  const missing = faults.get("scopes");
  return (
    <Layout title="Make a key" section="keys">
      <Refused refusal={refusal} />
      <form method="post" action={KEYS} class="card snug">
        <Input
          name="name"
          label="Name"
          hint="What it is for, such as ci."
          value={draft.name}
          faults={faults}
          more={{ required: true, maxlength: 100 }}
        />
        <fieldset
          class="boxes"
          id="scopes"
          {...(missing !== undefined && { "aria-describedby": "scopes-error" })}
        >
          <legend>It may</legend>
          {missing !== undefined && (
            <p class="error" id="scopes-error">
              {missing}
            </p>
          )}
          {SCOPES.map((scope) => (
            <Check
              name={boxOf(scope)}
              label={scope}
              hint={ALLOWS[scope]}
              checked={draft.scopes.includes(scope)}
            />
          ))}
        </fieldset>
        <Select
          name="expiresIn"
          label="It expires"
          value={draft.expiresIn}
          options={LIFETIMES}
          faults={faults}
        />
        <SendOrCancel send="Make key" back={KEYS} />
      </form>
    </Layout>
  );
}

const DAY_MS = 86_400_000;

/** What was typed into the form for a new key. */
export function draftOf(posted: Posted): KeyDraft {
  return {
    name: posted.line("name"),
    scopes: SCOPES.filter((scope) => posted.isOn(boxOf(scope))),
    expiresIn: posted.line("expiresIn"),
  };
}

/** What only the form can get wrong. The API takes no scopes for all of them, which nobody has ticked. */
export function faultsIn({ scopes, expiresIn }: KeyDraft): Faults {
  const faults = new Map<string, string>();
  if (scopes.length === 0) faults.set("scopes", "Tick what the key may do.");
  if (!LIFETIMES.some(({ value }) => value === expiresIn)) {
    faults.set("expiresIn", "Choose one of these.");
  }
  return faults;
}

/** The API's body for a draft without faults. `now` in epoch milliseconds. */
export function bodyOf(draft: KeyDraft, now: number): z.input<typeof createKeyBody> {
  const { name, scopes, expiresIn } = draft;
  if (expiresIn === "") return { name, scopes: [...scopes] };
  const expiresAt = new Date(now + Number(expiresIn) * DAY_MS).toISOString();
  return { name, scopes: [...scopes], expiresAt };
}

const A_DAY = "86400";

/** Asks for how long the old key is to work beside the new one. */
export function RotatePage({
  record,
  isCurrent,
  faults = NO_FAULTS,
}: {
  record: ApiKeyRecord;
  isCurrent: boolean;
  faults?: Faults;
}) {
  return (
    <Layout title={`Rotate ${record.name}`} section="keys">
      <p>
        A new key takes its place, with the same name and the same scopes. Give it to whoever uses
        the old one while both work.
      </p>
      {isCurrent && <p>You have signed in with this key, and go on with the new one.</p>}
      <KeyFacts record={record} />
      <form method="post" action={keyPath(record.keyId, "rotate")} class="card snug">
        <Select
          name="overlapSeconds"
          label="The old key still works"
          value={A_DAY}
          options={OVERLAPS}
          faults={faults}
        />
        <SendOrCancel send="Rotate" back={KEYS} />
      </form>
    </Layout>
  );
}

/** Asks whether a key is meant, by its name, before it is revoked. */
export function RevokePage({ record, isCurrent }: { record: ApiKeyRecord; isCurrent: boolean }) {
  return (
    <Layout title={`Revoke ${record.name}?`} section="keys">
      {isCurrent && (
        <Notice tone="bad">You have signed in with this key. Revoking it signs you out.</Notice>
      )}
      <p>Whoever uses it is locked out at once. This cannot be undone.</p>
      <KeyFacts record={record} />
      <form method="post" action={keyPath(record.keyId, "revoke")}>
        <SendOrCancel send={`Revoke ${record.name}`} tone="danger" back={KEYS} />
      </form>
    </Layout>
  );
}

function KeyFacts({ record: { last4, scopes, lastUsedAt } }: { record: ApiKeyRecord }) {
  return (
    <section class="card" aria-label="The key">
      <dl class="facts">
        <dt>Key</dt>
        <dd>
          <code>{`…${last4}`}</code>
        </dd>
        <dt>It may</dt>
        <dd>{scopesText(scopes)}</dd>
        <dt>Last used</dt>
        <dd>{lastUsedAt === null ? "never" : <Time at={lastUsedAt} />}</dd>
      </dl>
    </section>
  );
}

/** The account's API keys: list, make, rotate, revoke. */
export function serveKeys(app: Dashboard): void {
  app.get("/keys", async (http) => {
    const cursor = http.req.query("cursor");
    const page = await http.get("api").keys.list(cursor === undefined ? {} : { cursor });
    const end = await currentEnd(http);
    const isRevoked = http.req.query("done") === "revoked";
    return http.html(
      <KeysPage {...page} currentEnd={end} isRevoked={isRevoked} now={Date.now()} />,
    );
  });

  app.get("/keys/new", (http) => http.html(<NewKeyPage draft={NEW_DRAFT} refusal={null} />));
  app.post("/keys", make);

  app.get("/keys/:keyId/rotate", async (http) => {
    const record = await keyOf(http, http.req.param("keyId"));
    return http.html(<RotatePage record={record} isCurrent={await isCurrent(http, record)} />);
  });
  app.post("/keys/:keyId/rotate", async (http) => rotate(http, http.req.param("keyId")));

  app.get("/keys/:keyId/revoke", async (http) => {
    const record = await keyOf(http, http.req.param("keyId"));
    return http.html(<RevokePage record={record} isCurrent={await isCurrent(http, record)} />);
  });
  app.post("/keys/:keyId/revoke", async (http) => {
    await http.get("api").keys.revoke(http.req.param("keyId"));
    return http.redirect(`${KEYS}?done=revoked`, 303);
  });
}

async function make(http: Page): Promise<Response> {
  const draft = draftOf(await postedForm(http));
  const faults = faultsIn(draft);
  try {
    if (faults.size > 0) {
      return http.html(<NewKeyPage draft={draft} refusal={refusalFor(faults)} />, 400);
    }
    const created = await http.get("api").keys.create(bodyOf(draft, Date.now()));
    return http.html(<MadePage created={created} replaced={null} />, 201);
  } catch (error) {
    const refusal = refusalOf(error);
    return http.html(<NewKeyPage draft={draft} refusal={refusal} />, refusal.status);
  }
}

async function rotate(http: Page, keyId: string): Promise<Response> {
  const overlap = (await postedForm(http)).line("overlapSeconds");
  const record = await keyOf(http, keyId);
  const wasCurrent = await isCurrent(http, record);
  if (!OVERLAPS.some(({ value }) => value === overlap)) {
    const faults = new Map([["overlapSeconds", "Choose one of these."]]);
    return http.html(<RotatePage record={record} isCurrent={wasCurrent} faults={faults} />, 400);
  }
  const overlapSeconds = Number(overlap);
  const now = Date.now();
  const created = await http.get("api").keys.rotate(keyId, { overlapSeconds });
  // Whoever is signed in with the old key stays so when that stops working.
  if (wasCurrent) await startSession(http, created.apiKey, now);
  const revokedAt = new Date(now + overlapSeconds * 1_000).toISOString();
  const worksUntil = endOf({ ...record, revokedAt }) ?? revokedAt;
  return http.html(<MadePage created={created} replaced={{ worksUntil, wasCurrent }} />, 201);
}

async function isCurrent(http: Page, { last4 }: ApiKeyRecord): Promise<boolean> {
  return last4 === (await currentEnd(http));
}

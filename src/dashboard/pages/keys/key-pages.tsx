import type * as z from "zod";
import {
  type ApiKeyRecord,
  type apiKeyCreated,
  SCOPES,
  type Scope,
} from "../../../contract/account.ts";
import {
  Badge,
  Copyable,
  DataTable,
  Facts,
  NextPage,
  Notice,
  Time,
} from "../../components/elements.tsx";
import { Layout } from "../../components/layout.tsx";
import { Control, FormErrors, SubmitOrCancel } from "../../forms/fields.tsx";
import type { FormState } from "../../forms/form.ts";
import { KEYS, nextPath } from "../../paths.ts";

const COLUMNS = ["Name", "Scopes", "State", "Last used", "Expires", "Actions"];

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
export function endOf({ revokedAt, expiresAt }: ApiKeyRecord): string | null {
  if (revokedAt === null || expiresAt === null) return revokedAt ?? expiresAt;
  return revokedAt < expiresAt ? revokedAt : expiresAt;
}

function keyPath(keyId: string, action: "rotate" | "revoke"): string {
  return `${KEYS}/${encodeURIComponent(keyId)}/${action}`;
}

/** The account's keys, including those that no longer work. */
export function KeysPage({
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

export function NewKeyPage({ state }: { state: FormState }) {
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
export function CreatedPage({
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

export function RotatePage({
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

export function RevokePage({ record, isCurrent }: { record: ApiKeyRecord; isCurrent: boolean }) {
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

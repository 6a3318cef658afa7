import * as z from "zod";
import { type ApiKeyRecord, apiKeyCreated, SCOPES, type Scope } from "../../../contract/account.ts";
import { Badge, Copyable, Facts, LinkButton, Notice, Time } from "../../components/elements.tsx";
import { Layout } from "../../components/layout.tsx";
import type { Column } from "../../components/table.tsx";
import { KEYS } from "../../paths.ts";
import { DeleteLink } from "../resource.tsx";

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

/** Returns the path of a page of a key. */
export function keyPath(keyId: string, page: "rotate" | "revoke" | "created"): string {
  return `${KEYS}/${encodeURIComponent(keyId)}/${page}`;
}

/** Returns the columns of the list; `currentEnd` ends the key that the reader has signed in with. */
export function keyColumns(currentEnd: string | null, now: number): Column<ApiKeyRecord>[] {
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

export const createdKey = z.object({
  created: apiKeyCreated,
  /** The key that the new one replaces; `wasCurrent` if the reader had signed in with it. */
  replaced: z.object({ worksUntil: z.string(), wasCurrent: z.boolean() }).nullable(),
});
export type CreatedKey = z.output<typeof createdKey>;

/** Shows the text of a new key, which no other page does. */
export function CreatedPage({ created, replaced }: CreatedKey) {
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
export function KeyFacts({ record: { last4, scopes, lastUsedAt } }: { record: ApiKeyRecord }) {
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

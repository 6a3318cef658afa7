import type * as z from "zod";
import type { ApiKeyRecord, apiKeyCreated } from "../../../contract/account.ts";
import { Field } from "../../components/form.tsx";
import { Layout } from "../../components/layout.tsx";
import { Badge, Copyable, DataTable, NextPage, Notice, Time } from "../../components/parts.tsx";

const COLUMNS = ["Name", "Key", "Scopes", "State", "Created", "Expires", "Actions"];

export function KeysPage({
  keys,
  nextCursor,
  now,
  fault,
}: {
  keys: ApiKeyRecord[];
  nextCursor: string | null;
  now: number;
  fault?: string;
}) {
  return (
    <Layout title="Keys" section="keys">
      <form method="post" action="/dashboard/keys" class="card inline-form">
        <Field id="name" label="New key" hint="What it is for, such as ci." error={fault}>
          <input id="name" name="name" required maxlength={100} aria-describedby="name-hint" />
        </Field>
        <button type="submit" class="primary">
          Make key
        </button>
      </form>
      <DataTable label="API keys" columns={COLUMNS}>
        {keys.map((key) => (
          <KeyRow record={key} now={now} />
        ))}
      </DataTable>
      <NextPage href={nextCursor && `/dashboard/keys?cursor=${encodeURIComponent(nextCursor)}`} />
    </Layout>
  );
}

function KeyRow({ record, now }: { record: ApiKeyRecord; now: number }) {
  const state = stateOf(record, now);
  const path = `/dashboard/keys/${encodeURIComponent(record.keyId)}`;
  return (
    <tr>
      <td>{record.name}</td>
      <td>
        <code>{`…${record.last4}`}</code>
      </td>
      <td class="wrap">{record.scopes.join(", ")}</td>
      <td>
        <Badge state={state} />
      </td>
      <td>
        <Time at={record.createdAt} />
      </td>
      <td>
        <Time at={record.expiresAt} />
      </td>
      <td class="row-actions">
        {state === "active" && (
          <>
            <form method="post" action={`${path}/rotate`}>
              <button type="submit" aria-label={`Rotate ${record.name}`}>
                Rotate
              </button>
            </form>
            <form
              method="post"
              action={`${path}/revoke`}
              data-confirm={`Revoke ${record.name}? Whoever uses it is locked out at once.`}
            >
              <button type="submit" class="danger" aria-label={`Revoke ${record.name}`}>
                Revoke
              </button>
            </form>
          </>
        )}
      </td>
    </tr>
  );
}

/** Shows the text of a new key, which can be seen only here. */
export function NewKeyPage({ created }: { created: z.output<typeof apiKeyCreated> }) {
  return (
    <Layout title="New key" section="keys">
      <Notice tone="good">This key is shown only now. Keep it where secrets are kept.</Notice>
      <Copyable id="new-key" label={created.name} text={created.apiKey} />
      <p>
        <a class="button" href="/dashboard/keys">
          To all keys
        </a>
      </p>
    </Layout>
  );
}

function stateOf({ revokedAt, expiresAt }: ApiKeyRecord, now: number): string {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && Date.parse(expiresAt) <= now ? "expired" : "active";
}

import type { ApiKeyRecord } from "../../../contract/account.ts";
import { Layout } from "../../components/layout.tsx";
import { Badge, DataTable, NextPage, Notice, Time } from "../../components/parts.tsx";
import { KEYS, keyPath } from "./paths.ts";
import { endOf, scopesText, stateOf } from "./words.ts";

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

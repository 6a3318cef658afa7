import type { ApiKeyRecord } from "../../../contract/account.ts";
import { Select } from "../../components/fields.tsx";
import { SendOrCancel } from "../../components/form.tsx";
import { Layout } from "../../components/layout.tsx";
import { Notice, Time } from "../../components/parts.tsx";
import { type Faults, NO_FAULTS } from "../../forms/faults.ts";
import { KEYS, keyPath } from "./paths.ts";
import { OVERLAPS, scopesText } from "./words.ts";

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

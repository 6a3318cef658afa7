import type { ManagedBy } from "../../contract/managed.ts";

interface Managed {
  externalId: string | null;
  managedBy: ManagedBy;
  revision: number;
}

/** What keeps settings: files, with the revision and the commit of which they are, or people. */
export function KeptIn({ externalId, managedBy, revision }: Managed) {
  if (managedBy === null) return <>the dashboard and the API</>;
  const { commit, revision: written } = managedBy;
  return (
    <>
      files, as <code>{externalId}</code>
      {`, revision ${written}`}
      {commit !== undefined && (
        <>
          {" "}
          of commit <code>{commit}</code>
        </>
      )}
      {written !== revision && <strong>, changed by hand since</strong>}
    </>
  );
}

/** Says before a change by hand that files keep the settings. */
export function ManagedWarning({ externalId, managedBy }: Omit<Managed, "revision">) {
  if (managedBy === null) return null;
  return (
    <p class="hint" role="note">
      Managed by files, as <code>{externalId}</code>. Change the file instead: the next{" "}
      <code>prompthook apply</code> stops at a change by hand until it is pulled or overwritten.
    </p>
  );
}

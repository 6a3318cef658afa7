import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import type { LogEntry } from "../../../contract/inbound/log.ts";
import { DataTable, NextPage } from "../../components/parts.tsx";
import { NoEntries } from "./empty.tsx";
import { isLive, type LogView, searchOf } from "./filters.ts";
import { logPath } from "./paths.ts";
import { COLUMNS, EntryRow } from "./row.tsx";

/** One page of an endpoint's log. */
export interface LogPage {
  endpointId: string;
  view: LogView;
  entries: LogEntry[];
  nextCursor: string | null;
  /** What the reader sees of it; see `fingerprintOf`. */
  seen: string;
}

/** What an update replaces: where there are rows, these, so that their frame stays scrolled as it is. */
const ROWS = { "hx-target": "#log tbody", "hx-swap": "innerHTML" };
const WHOLE = { "hx-target": "#log", "hx-swap": "outerHTML" };

/** The page of the log, whole. */
export function Log({
  page,
  endpoint,
  script,
}: {
  page: LogPage;
  endpoint: EndpointRecord;
  script: string;
}) {
  const { view, entries } = page;
  return (
    <div id="log">
      {entries.length === 0 ? (
        <NoEntries endpoint={endpoint} script={script} view={view} />
      ) : (
        <DataTable label="Requests" columns={COLUMNS}>
          <Rows entries={entries} />
        </DataTable>
      )}
      <Foot page={page} isUpdate={false} />
    </div>
  );
}

/** What replaces the rows of a page that is open. */
export function LogUpdate({ page }: { page: LogPage }) {
  return (
    <>
      <Rows entries={page.entries} />
      <template>
        <Foot page={page} isUpdate={true} />
      </template>
    </>
  );
}

function Rows({ entries }: { entries: LogEntry[] }) {
  return (
    <>
      {entries.map((entry) => (
        <EntryRow entry={entry} />
      ))}
    </>
  );
}

/** The way to older entries, and what asks for news of these. */
function Foot({ page, isUpdate }: { page: LogPage; isUpdate: boolean }) {
  const { endpointId, view, nextCursor, seen } = page;
  const path = logPath(endpointId);
  const older = nextCursor && `${path}${searchOf(view, { cursor: nextCursor })}`;
  return (
    <div id="log-foot" {...(isUpdate && { "hx-swap-oob": "true" })}>
      <NextPage href={older} />
      {isLive(view) && (
        <div
          data-live=""
          hx-get={`${path}/live${searchOf(view, { seen })}`}
          hx-trigger="every 2s, visibilitychange from:document"
          {...(page.entries.length === 0 ? WHOLE : ROWS)}
        />
      )}
    </div>
  );
}

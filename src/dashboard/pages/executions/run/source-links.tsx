import type { Source } from "../../../../contract/execution.ts";
import { Address } from "../../../components/address.tsx";
import { runPath } from "../paths.ts";
import { LOG_ENTRIES } from "./load.ts";

/** Sources that are named one by one. */
const MOST_SOURCES = 8;

/** The part of a run's log that a page shows. */
export interface ShownLog {
  executionId: string;
  first: number;
  /** Null where it shows whatever comes. */
  last: number | null;
}

/** Where a value came from: entries of the log, and the addresses that they read. */
export function SourceLinks({ shown, sources }: { shown: ShownLog; sources: readonly Source[] }) {
  if (sources.length === 0) return null;
  const more = sources.length - MOST_SOURCES;
  return (
    <ul class="sources" aria-label="Sources">
      {/* Whoever hears the list is told so by its name. */}
      <li class="muted" aria-hidden="true">
        From
      </li>
      {sources.slice(0, MOST_SOURCES).map(({ eventSeq, url }) => (
        <li>
          <a href={entryPath(shown, eventSeq)}>{`entry ${eventSeq}`}</a>
          {url !== undefined && (
            <>
              {" "}
              <Address url={url} />
            </>
          )}
        </li>
      ))}
      {more > 0 && <li class="muted">{`and ${more} more`}</li>}
    </ul>
  );
}

/** The entry on this page, else on a page of the log that shows it amid its neighbours. */
function entryPath({ executionId, first, last }: ShownLog, seq: number): string {
  if (seq >= first && (last === null || seq <= last)) return `#event-${seq}`;
  return `${runPath(executionId)}?until=${seq + LOG_ENTRIES / 2}#event-${seq}`;
}

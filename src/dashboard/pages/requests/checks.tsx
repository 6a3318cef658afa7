import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import type { LogEntry } from "../../../contract/inbound/log.ts";
import { Badge } from "../../components/parts.tsx";
import { isUnchanged, verdictsOf } from "./verdicts.ts";
import { STAGE_NAMES } from "./words.ts";

/** The steps of a request in their order, and how far it came. */
export function Checks({ entry, endpoint }: { entry: LogEntry; endpoint: EndpointRecord }) {
  return (
    <section class="card snug">
      <h2>Checks</h2>
      <ol class="checks">
        {verdictsOf(entry, endpoint).map(({ stage, verdict }) => (
          <li>
            {STAGE_NAMES[stage]} <Badge state={verdict} />
          </li>
        ))}
      </ol>
      {!isUnchanged(entry, endpoint) && (
        <p class="hint">
          The endpoint has been changed since: what it did not ask for then counts as passed.
        </p>
      )}
    </section>
  );
}

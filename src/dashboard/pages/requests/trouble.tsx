import type { LogEntry } from "../../../contract/inbound/log.ts";
import { runPath } from "../executions/paths.ts";
import { endpointPath } from "../webhooks/paths.ts";
import { REMEDIES, type Remedy } from "./remedies.ts";
import { STAGE_NAMES } from "./words.ts";

/** What went wrong with a request, why, and what to change; and what was noticed besides. */
export function Trouble({ entry }: { entry: LogEntry }) {
  const [first] = entry.errors;
  return (
    <>
      {first !== undefined && (
        <section class="card snug trouble">
          <h2>What went wrong</h2>
          <ol class="errors">
            {entry.errors.map(({ stage, path, rule, message }) => (
              <li>
                <strong>{STAGE_NAMES[stage]}</strong>
                {path !== undefined && path !== "" && <code>{path}</code>}
                <span>{message}</span>
                <span class="muted">{`rule ${rule}`}</span>
              </li>
            ))}
          </ol>
          <p>
            {`${REMEDIES[first.stage].what} `}
            <MendLink entry={entry} where={REMEDIES[first.stage].where} />
          </p>
        </section>
      )}
      {entry.diagnosis.length > 0 && (
        <section class="card snug diagnosis">
          <h2>Diagnosis</h2>
          <ul>
            {entry.diagnosis.map((sentence) => (
              <li>{sentence}</li>
            ))}
          </ul>
          <p>
            <a id="mend-signature" href={endpointPath(entry.endpointId, "/settings")}>
              Change how the endpoint verifies
            </a>
          </p>
        </section>
      )}
      {entry.warnings.length > 0 && (
        <section class="card snug">
          <h2>Warnings</h2>
          <ul>
            {entry.warnings.map((warning) => (
              <li>{warning}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function MendLink({ entry, where }: { entry: LogEntry; where: Remedy["where"] }) {
  const { endpointId, executionId } = entry;
  switch (where) {
    case "settings":
    case "rules":
      return (
        <a id="mend" href={endpointPath(endpointId, `/${where}`)}>
          {where === "rules" ? "To validation and mapping" : "To the endpoint's settings"}
        </a>
      );
    case "execution":
      return executionId === null ? null : (
        <a id="mend" href={runPath(executionId)}>
          To the execution
        </a>
      );
    case "sender":
      return null;
  }
}

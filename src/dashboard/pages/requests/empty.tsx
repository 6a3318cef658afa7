import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import { Copyable, Empty } from "../../components/parts.tsx";
import { endpointPath } from "../webhooks/paths.ts";
import { isFiltered, type LogView } from "./filters.ts";
import { logPath } from "./paths.ts";

/** What there is to say of a log, or of a part of it, in which nothing is. */
export function NoEntries({
  endpoint: { endpointId, url },
  script,
  view,
}: {
  endpoint: EndpointRecord;
  /** Commands that send the endpoint an event. */
  script: string;
  view: LogView;
}) {
  if (view.cursor !== null || isFiltered(view)) {
    return (
      <Empty title="No request is like this">
        <p>
          <a href={logPath(endpointId)}>Show all requests</a>
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No request has come yet">
      <p>Give the sender this address, or send the first event yourself. It appears here.</p>
      <Copyable id="endpoint-url" label="Address" text={url} />
      <Copyable id="first-event" label="Send an event from a shell" text={script} />
      <p>
        <a href={endpointPath(endpointId, "/try")}>Try a sample here</a>
      </p>
    </Empty>
  );
}

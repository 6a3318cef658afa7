import { Time } from "../../components/parts.tsx";
import { EndpointPage } from "../webhooks/frame.tsx";
import { type Logged, Outcome } from "./outcome.tsx";
import { type RefusedReplay, ReplayForm } from "./replay-form.tsx";
import type { RequestBody } from "./request-body.ts";
import { RequestView } from "./request-view.tsx";

/** One entry of a log, whole. */
export function EntryPage({
  logged,
  body,
  refused = null,
}: {
  logged: Logged;
  body: RequestBody;
  refused?: RefusedReplay | null;
}) {
  const { entry, endpoint } = logged;
  return (
    <EndpointPage endpoint={endpoint} tab="requests">
      <div class="entry-head">
        <h2>
          Request of <Time at={entry.receivedAt} />
        </h2>
        <a class="button" href="#replay">
          Replay
        </a>
      </div>
      <Outcome logged={logged} />
      <ReplayForm entry={entry} endpoint={endpoint} body={body} refused={refused} />
      <RequestView entry={entry} body={body} />
    </EndpointPage>
  );
}

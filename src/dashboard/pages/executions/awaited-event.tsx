import { condition } from "../../../contract/webhooks/routing.ts";
import { waitForEventInput } from "../../../contract/webhooks/waiter.ts";
import { Facts, Time } from "../../components/elements.tsx";
import { endpointPath } from "../../paths.ts";
import { conditionText } from "../webhooks/condition-text.ts";
import type { LoadedExecution } from "./load.ts";
import type { Timeline } from "./timeline.ts";

/** The event that the execution waits for; nothing while it waits for none. */
export function AwaitedEvent({
  view: { state, task },
  timeline,
}: {
  view: LoadedExecution;
  timeline: Timeline;
}) {
  if (state.statusDetail !== "event") return null;
  const call = timeline.rows.findLast(
    (row) => row.kind === "call" && row.tool === "wait_for_event" && row.span.to === null,
  );
  const input = waitForEventInput.safeParse(call?.kind === "call" ? call.input : null);
  if (call?.kind !== "call" || !input.success) return null;
  const { endpointId, when, timeoutSeconds, since, wake } = input.data;
  const parsed = condition.safeParse(when);
  const begun = Date.parse(task.createdAt) + call.span.from;
  return (
    <section class="card attention" aria-labelledby="awaited">
      <h2 id="awaited">Waits for an event</h2>
      <Facts
        facts={[
          ["Endpoint", <a href={endpointPath(endpointId, "/cases")}>{endpointId}</a>],
          ["Condition", <code>{parsed.success ? conditionText(parsed.data) : "–"}</code>],
          ["Received since", <Time at={since ?? task.createdAt} />],
          ["Until", <Time at={new Date(begun + timeoutSeconds * 1_000).toISOString()} />],
          wake === "one" && ["The event wakes", "this execution alone"],
        ]}
      />
    </section>
  );
}

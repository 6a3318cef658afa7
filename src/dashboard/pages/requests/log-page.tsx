import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import { Refused } from "../../components/refused.tsx";
import { refusalFor } from "../../forms/faults.ts";
import { EndpointPage } from "../webhooks/frame.tsx";
import { FilterForm } from "./filter-form.tsx";
import { type LogView, searchOf } from "./filters.ts";
import { Log, type LogPage as Page } from "./log.tsx";
import { logPath } from "./paths.ts";

/** The log of an endpoint. `page` is null where the filters say nothing that can be asked for. */
export function LogPage({
  endpoint,
  view,
  page,
  script,
}: {
  endpoint: EndpointRecord;
  script: string;
  view: LogView;
  page: Page | null;
}) {
  const path = logPath(endpoint.endpointId);
  return (
    <EndpointPage endpoint={endpoint} tab="requests">
      <Refused
        refusal={view.faults.size === 0 ? null : refusalFor(view.faults)}
        shown={(name) => !name.startsWith("status")}
      />
      <FilterForm path={path} view={view} />
      {page !== null && (
        <>
          <Liveness path={path} view={view} />
          <Log page={page} endpoint={endpoint} script={script} />
        </>
      )}
    </EndpointPage>
  );
}

/** Whether new entries come in by themselves, and how to change that (WCAG 2.2, 2.2.2). */
function Liveness({ path, view }: { path: string; view: LogView }) {
  const { cursor, isPaused } = view;
  if (cursor !== null) {
    return (
      <p class="liveness">
        Older requests. <a href={`${path}${searchOf(view, { cursor: null })}`}>To the newest</a>
      </p>
    );
  }
  return (
    <p class="liveness">
      {isPaused ? "New requests do not appear by themselves. " : "New requests appear here. "}
      <a href={`${path}${searchOf(view, { isPaused: !isPaused })}`}>
        {isPaused ? "Follow" : "Pause"}
      </a>
    </p>
  );
}

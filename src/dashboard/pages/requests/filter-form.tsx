import { requestStatus } from "../../../contract/inbound/log.ts";
import { MomentInput, Select } from "../../components/fields.tsx";
import { isFiltered, type LogView } from "./filters.ts";

const DUPLICATES = [
  { value: "", label: "With duplicates" },
  { value: "false", label: "Without duplicates" },
  { value: "true", label: "Only duplicates" },
];

/** What of the log is shown. A plain GET form: the address of the page says it all. */
export function FilterForm({ path, view }: { path: string; view: LogView }) {
  const { typed, faults, isPaused } = view;
  return (
    <details class="card filters" open={isFiltered(view)}>
      <summary>Filter</summary>
      <form method="get" action={path} class="snug">
        <fieldset class="choices">
          <legend>Status</legend>
          {requestStatus.options.map((status) => (
            <label>
              <input
                type="checkbox"
                name="status"
                value={status}
                checked={typed.status.includes(status)}
              />
              {status}
            </label>
          ))}
        </fieldset>
        <Select
          name="duplicate"
          label="Duplicates"
          value={typed.duplicate}
          options={DUPLICATES}
          faults={faults}
        />
        <MomentInput
          name="receivedAfter"
          label="Received after (UTC)"
          value={typed.receivedAfter}
          faults={faults}
        />
        <MomentInput
          name="receivedBefore"
          label="Received before (UTC)"
          value={typed.receivedBefore}
          faults={faults}
        />
        {isPaused && <input type="hidden" name="live" value="off" />}
        <div class="actions">
          <button type="submit" class="primary">
            Show
          </button>
          {isFiltered(view) && (
            <a class="button" href={path}>
              Show all
            </a>
          )}
        </div>
      </form>
    </details>
  );
}

import { ORIGINS, STATUSES } from "../../../../contract/execution.ts";
import { Input, MomentInput } from "../../../components/fields.tsx";
import { EXECUTIONS } from "../paths.ts";
import { ORIGINS as ORIGIN_WORDS } from "../words.ts";
import { isFiltered, type ListView } from "./filters.ts";

/** What of the list is shown. A plain GET form: the address of the page says it all. */
export function FilterForm({ view }: { view: ListView }) {
  const { typed, faults } = view;
  return (
    <details class="card filters" open={isFiltered(view)}>
      <summary>Filter</summary>
      <form method="get" action={EXECUTIONS}>
        <Choices
          name="status"
          legend="Status"
          chosen={typed.status}
          choices={STATUSES.map((status) => [status, status.replaceAll("_", " ")])}
          error={firstAt(view, "status")}
        />
        <Choices
          name="origin"
          legend="Started by"
          chosen={typed.origin}
          choices={ORIGINS.map((one) => [one, ORIGIN_WORDS[one]])}
          error={firstAt(view, "origin")}
        />
        <div class="grid">
          <Input name="workflowId" label="Workflow" value={typed.workflowId} faults={faults} />
          <MomentInput
            name="createdAfter"
            label="Created after (UTC)"
            value={typed.createdAfter}
            faults={faults}
          />
          <MomentInput
            name="createdBefore"
            label="Created before (UTC)"
            value={typed.createdBefore}
            faults={faults}
          />
        </div>
        <div class="actions">
          <button type="submit" class="primary">
            Show
          </button>
          {isFiltered(view) && (
            <a class="button" href={EXECUTIONS}>
              Show all
            </a>
          )}
        </div>
      </form>
    </details>
  );
}

function Choices({
  name,
  legend,
  chosen,
  choices,
  error,
}: {
  name: string;
  legend: string;
  chosen: readonly string[];
  choices: readonly (readonly [value: string, label: string])[];
  error: string | undefined;
}) {
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      {choices.map(([value, label]) => (
        <label>
          <input type="checkbox" name={name} value={value} checked={chosen.includes(value)} />{" "}
          {label}
        </label>
      ))}
      {error !== undefined && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** What is said against one of several values, which are named by their places. */
function firstAt({ faults }: ListView, name: string): string | undefined {
  return [...faults].find(([path]) => path.startsWith(`${name}[`))?.[1];
}

import { Check, Input, RemoveRow, SecretInput } from "../../../components/fields.tsx";
import type { Faults } from "../../../forms/faults.ts";
import { focusAttributes, type RowFocus } from "../../../forms/row-focus.ts";
import { keepHint } from "../../../forms/secret-words.ts";
import type { HeaderRow } from "./auth-draft.ts";

type Kept = { name: string; value?: { last4: string } | undefined };

/** Headers that a request must have; rows come and go without leaving the page. */
export function HeaderRows({
  rows,
  kept,
  action,
  faults,
  focus,
}: {
  rows: readonly HeaderRow[];
  /** As they are now. */
  kept: readonly Kept[];
  action: string;
  faults: Faults;
  focus: RowFocus | null;
}) {
  const swap = {
    "hx-post": action,
    "hx-target": "#headers",
    "hx-select": "#headers",
    "hx-swap": "outerHTML",
  };
  return (
    <fieldset id="headers" class="rows">
      <legend>Required headers</legend>
      {rows.map((row, at) => (
        <Row
          row={row}
          at={at}
          last4={lastOf(kept, row)}
          faults={faults}
          swap={swap}
          focus={focusAttributes(focus, at)}
        />
      ))}
      <button
        type="submit"
        name="do"
        value="add-header"
        formnovalidate
        {...focusAttributes(focus, "add")}
        {...swap}
      >
        Add a header
      </button>
    </fieldset>
  );
}

function Row({
  row,
  at,
  last4,
  faults,
  swap,
  focus,
}: {
  row: HeaderRow;
  at: number;
  last4: string | null;
  faults: Faults;
  swap: Record<string, string>;
  focus: ReturnType<typeof focusAttributes>;
}) {
  const path = `auth.headers[${at}]`;
  const shown = row.name === "" ? `header ${at + 1}` : row.name;
  return (
    <fieldset class="row" aria-label={`Header ${at + 1}`}>
      <Input
        name={`${path}.name`}
        label="Name"
        value={row.name}
        faults={faults}
        more={{ maxlength: 100, ...focus }}
      />
      <SecretInput
        name={`${path}.value`}
        label="Value"
        hint={last4 === null ? undefined : keepHint(last4)}
        faults={faults}
        more={{ maxlength: 1_000 }}
      />
      <div class="row-end">
        <Check name={`${path}.any`} label="Any value" checked={row.isAny} />
        <RemoveRow action={`remove-header-${at}`} shown={shown} swap={swap} />
      </div>
    </fieldset>
  );
}

function lastOf(kept: readonly Kept[], { name }: HeaderRow): string | null {
  const same = kept.find((header) => header.name.toLowerCase() === name.toLowerCase());
  return same?.value?.last4 ?? null;
}

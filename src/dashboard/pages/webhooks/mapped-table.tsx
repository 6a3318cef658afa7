import type { MappedField, Mapping, Transform } from "../../../contract/inbound/mapping.ts";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import { DataTable, NoValue } from "../../components/elements.tsx";
/** Shows where each input comes from. */
export function MappedTable({
  mapping: { auto, fields },
  inputs,
}: {
  mapping: Mapping;
  /** Of the attached workflow; empty without one. */
  inputs: readonly WorkflowInput[];
}) {
  const others = inputs.filter(({ name }) => !fields.some(({ to }) => to === name));
  if (fields.length === 0 && others.length === 0) {
    return <p class="muted">No mapped fields, and no workflow with inputs.</p>;
  }
  return (
    <DataTable label="Mapped fields" columns={["Input", "Type", "From", "Transforms", "Default"]}>
      {fields.map((field) => (
        <FieldRow field={field} input={inputs.find(({ name }) => name === field.to)} />
      ))}
      {others.map((input) => (
        <tr>
          <Target name={input.name} input={input} />
          <td class="wrap">
            {auto ? <span class="muted">the field of that name, at any depth</span> : <NoValue />}
          </td>
          <td>
            <NoValue />
          </td>
          <td>
            <Value value={input.default ?? undefined} />
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function FieldRow({ field, input }: { field: MappedField; input: WorkflowInput | undefined }) {
  const { to, from, transforms } = field;
  return (
    <tr>
      <Target name={to} input={input} />
      <td class="wrap">{from === null ? <NoValue /> : <code>{from}</code>}</td>
      <td class="wrap">
        {transforms.length === 0 ? <NoValue /> : transforms.map(transformText).join(", then ")}
      </td>
      <td>
        <Value value={field.default ?? input?.default ?? undefined} />
      </td>
    </tr>
  );
}

function Target({ name, input }: { name: string; input: WorkflowInput | undefined }) {
  return (
    <>
      <td class="keep">
        <code>{name}</code>
      </td>
      <td class="keep">
        {input === undefined ? (
          <span class="muted">not an input</span>
        ) : (
          `${input.type}${input.required ? ", required" : ""}`
        )}
      </td>
    </>
  );
}

function Value({ value }: { value: unknown }) {
  return value === undefined ? <NoValue /> : <code>{JSON.stringify(value)}</code>;
}

/** Describes a transform in a few words. */
function transformText(transform: Transform): string {
  switch (transform.type) {
    case "timestamp": {
      const zone = transform.timeZone === undefined ? "" : ` in ${transform.timeZone}`;
      return `time from ${transform.from} to ${transform.to}${zone}`;
    }
    case "domain":
      return transform.level === "host" ? "host" : "registrable domain";
    case "unit": {
      const { from, to, currency } = transform;
      return `${from} to ${to}${currency === undefined ? "" : ` of ${currency}`}`;
    }
    case "replace":
      return `replace ${JSON.stringify(transform.search)} with ${JSON.stringify(transform.with)}`;
    case "split":
    case "join":
      return `${transform.type} at ${JSON.stringify(transform.separator)}`;
    case "template":
      return `template ${JSON.stringify(transform.template)}`;
    case "jsonata":
      return `JSONata ${transform.expression}`;
    default:
      return transform.type;
  }
}

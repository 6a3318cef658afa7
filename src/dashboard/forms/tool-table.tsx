import { DataTable } from "../components/elements.tsx";
import { Control } from "./fields.tsx";
import { type FormState, TOOLS_SHOWN } from "./form.ts";

/** The fields `tools` and `approvals` of a form: which tools the agent can use, and which need approval. */
export function ToolTable({ of }: { of: FormState }) {
  const field = of.form.fields.tools;
  if (field?.kind !== "tools") return null;
  const isOn = (name: string) => of.typed.isOn(name);
  return (
    <>
      <input type="hidden" name={`tools.${TOOLS_SHOWN}`} value="on" />
      <DataTable label="Tools" columns={["Allowed", "Credits", "Requires approval"]} numeric={[1]}>
        {field.tools.map(({ name, description, credits }) => (
          <tr>
            <td class="wrap">
              <label>
                <input type="checkbox" name={`tools.${name}`} checked={isOn(`tools.${name}`)} />{" "}
                <code>{name}</code>
              </label>
              <div class="muted">{description}</div>
            </td>
            <td class="num" data-label="Credits">
              {credits}
            </td>
            <td data-label="Requires approval">
              <input
                type="checkbox"
                name={`approvals.${name}`}
                checked={isOn(`approvals.${name}`)}
                aria-label={`Require approval for ${name}`}
              />
            </td>
          </tr>
        ))}
      </DataTable>
      <div class="grid">
        <Control of={of} name="tools" />
        <Control of={of} name="approvals" />
      </div>
    </>
  );
}

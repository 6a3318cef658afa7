import { TOOL_NAMES, TOOLS } from "../../contract/tools/names.ts";
import { DataTable } from "../components/elements.tsx";
import { Control } from "./fields.tsx";
import type { FormState } from "./form.ts";

/** The fields `tools` and `approvals` of a form: which tools the agent can use, and which need approval. */
export function ToolTable({ of }: { of: FormState }) {
  return (
    <>
      <DataTable
        label="Tools"
        columns={["Tool", "Credits", "Allowed", "Requires approval"]}
        numeric={[1]}
      >
        {TOOL_NAMES.map((tool) => (
          <tr>
            <td class="wrap">
              <code>{tool}</code>
              <div class="muted">{TOOLS[tool].about}</div>
            </td>
            <td class="num" data-label="Credits">
              {TOOLS[tool].price}
            </td>
            <td data-label="Allowed">
              <Box of={of} name={`tools.${tool}`} label={`Allow ${tool}`} />
            </td>
            <td data-label="Requires approval">
              <Box of={of} name={`approvals.${tool}`} label={`Require approval for ${tool}`} />
            </td>
          </tr>
        ))}
      </DataTable>
      <p class="hint">If no tool is allowed here, the agent can use all of them.</p>
      <div class="grid">
        <Control of={of} name="tools" />
        <Control of={of} name="approvals" />
      </div>
    </>
  );
}

function Box({ of, name, label }: { of: FormState; name: string; label: string }) {
  return <input type="checkbox" name={name} checked={of.typed.isOn(name)} aria-label={label} />;
}

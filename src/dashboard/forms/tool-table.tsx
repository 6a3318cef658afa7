import { TOOL_NAMES, TOOL_PRICES, type ToolName } from "../../contract/tools/names.ts";
import { DataTable } from "../components/elements.tsx";
import { type Faults, gatheredAt } from "./errors.tsx";
import { Input } from "./fields.tsx";
import type { Posted } from "./posted.ts";

/** Tools as a column of boxes, and a line for those of MCP servers, have them. */
export interface ToolChoice {
  ticked: ReadonlySet<ToolName>;
  others: string;
}

export const NO_TOOLS: ToolChoice = { ticked: new Set(), others: "" };

/** What was ticked and typed. */
export function postedChoice(posted: Posted, list: "tools" | "approvals"): ToolChoice {
  return {
    ticked: new Set(TOOL_NAMES.filter((name) => posted.isOn(`${list}.${name}`))),
    others: posted.line(list),
  };
}

/** The boxes and the line that stand for these references. */
export function choiceOf(references: readonly string[] = []): ToolChoice {
  const ours = TOOL_NAMES.filter((name) => references.includes(name));
  const others = references.filter((reference) => !ours.some((name) => name === reference));
  return { ticked: new Set(ours), others: others.join(", ") };
}

/** What is chosen, as the API takes it; null for nothing. */
export function referencesOf({ ticked, others }: ToolChoice): string[] | null {
  const named = others.split(/[\s,]+/).filter((reference) => reference !== "");
  const all = [...ticked, ...named];
  return all.length === 0 ? null : all;
}

const WORDS: Record<ToolName, string> = {
  browse: "Opens pages and reads them",
  http_request: "Calls APIs",
  run_code: "Runs JavaScript in a sandbox",
  process_data: "Queries CSV, JSON and tables",
  send_email: "Sends e-mail",
  write_spreadsheet: "Writes spreadsheets",
  emit_output: "Hands out results",
  ask_user: "Asks you a question",
  finish: "Ends the execution",
};

/** Which tools the agent may use, and which of them wait for a yes. */
export function ToolTable({
  tools,
  approvals,
  faults,
}: {
  tools: ToolChoice;
  approvals: ToolChoice;
  faults: Faults;
}) {
  return (
    <>
      <DataTable label="Tools" columns={["Tool", "Credits", "May use", "Waits for a yes"]}>
        {TOOL_NAMES.map((name) => (
          <tr>
            <td class="wrap">
              <code>{name}</code>
              <div class="muted">{WORDS[name]}</div>
            </td>
            <td>{TOOL_PRICES[name]}</td>
            <td>
              <Box list="tools" name={name} choice={tools} label={`May use ${name}`} />
            </td>
            <td>
              <Box
                list="approvals"
                name={name}
                choice={approvals}
                label={`${name} waits for a yes`}
              />
            </td>
          </tr>
        ))}
      </DataTable>
      <p class="hint">With none ticked under “May use”, the agent may use all of them.</p>
      <div class="grid">
        <Input
          name="tools"
          label="Further tools it may use"
          hint="Of your MCP servers: mcp__server or mcp__server__tool, with commas between."
          value={tools.others}
          faults={gatheredAt(faults, "tools")}
        />
        <Input
          name="approvals"
          label="Further tools that wait for a yes"
          hint="Likewise."
          value={approvals.others}
          faults={gatheredAt(faults, "approvals")}
        />
      </div>
    </>
  );
}

function Box({
  list,
  name,
  choice,
  label,
}: {
  list: "tools" | "approvals";
  name: ToolName;
  choice: ToolChoice;
  label: string;
}) {
  return (
    <input
      type="checkbox"
      name={`${list}.${name}`}
      checked={choice.ticked.has(name)}
      aria-label={label}
    />
  );
}

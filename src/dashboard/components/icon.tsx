import { assetUrl } from "../assets.ts";

/** A drawing of `icons.svg`, beside words that say the same: screen readers skip it. */
export function Icon({ name }: { name: string }) {
  return (
    <svg class="icon" aria-hidden="true">
      <use href={`${assetUrl("icons.svg")}#${name}`} />
    </svg>
  );
}

/** The icons of the built-in tools; those of remote servers share one. */
const TOOL_ICONS: Readonly<Record<string, string>> = {
  browse: "globe",
  search_web: "search",
  http_request: "arrow-left-right",
  run_code: "square-terminal",
  process_data: "table",
  send_email: "mail",
  write_spreadsheet: "sheet",
  emit_output: "file-output",
  wait_for_event: "hourglass",
  ask_user: "message-circle-question-mark",
  finish: "flag",
};

/** Returns the icon of a tool by its name. */
export const iconOfTool = (tool: string): string => TOOL_ICONS[tool] ?? "server";

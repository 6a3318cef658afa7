import type { Transform } from "../../../contract/webhooks/mapping.ts";
import type { Option } from "../../forms/form.ts";

/** A setting of a transform, as a control. */
export interface Setting {
  name: string;
  label: string;
  /** `line`: text without the blanks around it. `text`: text as it is. `check`: a box. */
  kind: "line" | "text" | "check" | "select";
  /** The value of a transform that was just added. */
  initial?: string;
  options?: readonly Option[];
  /** Whether an empty control is an empty text, and not an absent setting. */
  keepsEmpty?: true;
  hint?: string;
}

const options = (labels: Record<string, string>): Option[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

const WRITTEN_FORMS = {
  iso: "ISO 8601",
  epoch_seconds: "epoch seconds",
  epoch_ms: "epoch milliseconds",
  date: "date",
};
const READ_FORMS = {
  auto: "any format",
  ...WRITTEN_FORMS,
  epoch_us: "epoch microseconds",
  epoch_ns: "epoch nanoseconds",
};

const separator = (initial: string): Setting => ({
  name: "separator",
  label: "Separator",
  kind: "text",
  initial,
});

/** The transforms in the order of their list, with their settings. */
export const TRANSFORMS: Record<Transform["type"], { label: string; settings: Setting[] }> = {
  timestamp: {
    label: "Convert a time",
    settings: [
      {
        name: "from",
        label: "From",
        kind: "select",
        initial: "auto",
        options: options(READ_FORMS),
      },
      { name: "to", label: "To", kind: "select", initial: "iso", options: options(WRITTEN_FORMS) },
      { name: "timeZone", label: "Time zone", kind: "line", hint: "Such as Europe/Berlin." },
    ],
  },
  domain: {
    label: "Extract the domain",
    settings: [
      {
        name: "level",
        label: "Part",
        kind: "select",
        initial: "registrable",
        options: options({ registrable: "registrable domain", host: "whole host" }),
      },
    ],
  },
  unit: {
    label: "Convert a unit",
    settings: [
      { name: "from", label: "From", kind: "line", hint: "Such as lb, or minor for money." },
      { name: "to", label: "To", kind: "line", hint: "Such as kg, or major for money." },
      { name: "currency", label: "Currency", kind: "line", hint: "For money, such as USD." },
    ],
  },
  number: { label: "Text to number", settings: [] },
  integer: { label: "Text to whole number", settings: [] },
  boolean: { label: "To true or false", settings: [] },
  string: { label: "To text", settings: [] },
  trim: { label: "Remove white space around text", settings: [] },
  lower: { label: "To lower case", settings: [] },
  upper: { label: "To upper case", settings: [] },
  replace: {
    label: "Replace text",
    settings: [
      { name: "search", label: "Search for", kind: "text" },
      { name: "with", label: "Replace with", kind: "text", keepsEmpty: true },
      { name: "pattern", label: "Search for a pattern (RE2)", kind: "check" },
    ],
  },
  split: { label: "Split text into a list", settings: [separator(",")] },
  join: { label: "Join a list into text", settings: [{ ...separator(","), keepsEmpty: true }] },
  first: { label: "First item of a list", settings: [] },
  last: { label: "Last item of a list", settings: [] },
  length: { label: "Length", settings: [] },
  json: { label: "Parse or write JSON", settings: [] },
  template: {
    label: "Fill a template",
    settings: [
      {
        name: "template",
        label: "Template",
        kind: "text",
        initial: "{{value}}",
        hint: "{{value}} is the value, {{order.id}} another field of the payload.",
      },
    ],
  },
  jsonata: {
    label: "JSONata expression",
    settings: [
      {
        name: "expression",
        label: "Expression",
        kind: "text",
        initial: "$",
        hint: "$ is the value, $payload the whole payload.",
      },
    ],
  },
};

/** Returns the transform of a control's text, or null for none of that name. */
export function transformNamed(type: string): (typeof TRANSFORMS)[Transform["type"]] | null {
  return Object.entries(TRANSFORMS).find(([name]) => name === type)?.[1] ?? null;
}

import type { Difference } from "../../lib/differences.ts";
import { countOf, jsonLine, oneLine, plain } from "../text.ts";
import type { Step } from "./plan.ts";

const MARKS = { create: "+", change: "~", keep: "~", drifted: "!", delete: "-", unchanged: " " };
const WORDS = {
  create: "",
  change: "",
  keep: "  kept in files from now on",
  drifted: "  drifted",
  delete: "  not in the folder",
  unchanged: "",
};
const VALUE_LENGTH = 100;

/** Returns a plan as lines: each change with its differences, then the totals. */
export function planLines(steps: readonly Step[]): string[] {
  const shown = steps.filter(({ action }) => action !== "unchanged");
  const lines = shown.flatMap(({ kind, externalId, action, differences, notes }) => [
    `${MARKS[action]} ${kind.folder}/${externalId}${WORDS[action]}`,
    ...differences.flatMap(differenceLines),
    ...notes.map((note) => `    ${plain(note)}`),
  ]);
  const count = (...of: Step["action"][]) =>
    steps.filter(({ action }) => of.includes(action)).length;
  const totals = [
    `${count("create")} to create`,
    `${count("change", "keep")} to change`,
    ...(count("drifted") > 0 ? [`${count("drifted")} drifted`] : []),
    ...(count("delete") > 0 ? [`${count("delete")} to delete`] : []),
    `${count("unchanged")} unchanged`,
  ];
  return [...lines, `${totals.join(", ")}.`];
}

/** Returns the same for a comment of a pull request. */
export function planMarkdown(steps: readonly Step[]): string[] {
  const lines = planLines(steps);
  const changes = lines.slice(0, -1);
  const fence = ["```diff", ...changes, "```"];
  return [
    `### Prompthook: ${countOf(steps.length, "file")}`,
    "",
    ...(changes.length > 0 ? fence : []),
    lines.at(-1) ?? "",
  ];
}

/** Returns a difference as lines; of a text with several lines, those that are other ones. */
export function differenceLines({ path, before, after }: Difference): string[] {
  const name = path.reduce<string>(
    (text, step) =>
      typeof step === "number" ? `${text}[${step}]` : text === "" ? step : `${text}.${step}`,
    "",
  );
  if (typeof before === "string" && typeof after === "string" && /\n/.test(before + after)) {
    const [old, now] = [before.split("\n"), after.split("\n")];
    return [
      `    ${name}:`,
      ...old
        .filter((line) => !now.includes(line))
        .map((line) => `-     ${oneLine(line, VALUE_LENGTH)}`),
      ...now
        .filter((line) => !old.includes(line))
        .map((line) => `+     ${oneLine(line, VALUE_LENGTH)}`),
    ];
  }
  const text = (value: unknown) =>
    value === undefined ? "unset" : oneLine(jsonLine(value), VALUE_LENGTH);
  return [`    ${plain(name)}: ${text(before)} → ${text(after)}`];
}

import type { WorkflowInput } from "../../../contract/workflow.ts";
import type { Posted } from "../../forms/posted.ts";
import { CHECKS, type Draft, type DraftField, FIELDS } from "./draft.ts";
import { transformNamed } from "./transforms.ts";

/** A draft after a button of the editor was pressed. */
export interface Edited {
  draft: Draft;
  /** The id of the control that takes the focus. */
  focus: string | null;
}

/** What is picked in the sample: a part of the request, and a path or name in it. */
export interface Pick {
  in: string;
  from: string;
}

/** Reads the value of a sample's option: the part, a space, the path. */
export function pickOf(text: string): Pick | null {
  const [, part = "", from = ""] = /^(body|header|query) (.+)$/s.exec(text) ?? [];
  return from === "" ? null : { in: part, from };
}

/** Does to a draft what the pressed button says; `null` for a button that is not one of the editor's. */
export function edited(
  draft: Draft,
  typed: Posted,
  inputs: readonly WorkflowInput[],
): Edited | null {
  const [, action, ...numbers] = /^(.*?)(?:-(\d+))?(?:-(\d+))?$/.exec(typed.line("do")) ?? [];
  const [at = -1, step = -1] = numbers.map(Number);
  const pick = pickOf(typed.text("pick"));
  switch (action) {
    case "map":
      return mapped(draft, typed.line("mapTo"), pick ?? { in: "body", from: "" });
    case "require":
      return pick?.in === "body" ? required(draft, pick.from) : { draft, focus: "pick-title" };
    case "mapInput":
      return mapped(draft, inputs[at]?.name ?? "", { in: "body", from: "" });
    case "removeField":
      return {
        draft: { ...draft, fields: draft.fields.filter((_, each) => each !== at) },
        focus: "mapTo",
      };
    case "addTransform":
      return withTransform(draft, at, typed.line(`${FIELDS}[${at}].add`));
    case "removeTransform":
      return withoutTransform(draft, at, step);
    case "add-rule":
      return required(draft, "");
    case "remove-rule":
      return {
        draft: { ...draft, checks: draft.checks.filter((_, each) => each !== at) },
        focus: "checks-add",
      };
    case "sample":
    case "refresh":
      return { draft, focus: null };
    default:
      return null;
  }
}

/** Maps an input to a place; an input that is mapped already reads from there instead. */
function mapped(draft: Draft, to: string, { in: part, from }: Pick): Edited {
  const { fields } = draft;
  const known = fields.findIndex((field) => field.to === to);
  if (to === "") return { draft, focus: "mapTo" };
  const at = known < 0 ? fields.length : known;
  const before = fields[at] ?? { to, default: "", transforms: [] };
  const changed = fields.toSpliced(at, 1, { ...before, in: part, from });
  return { draft: { ...draft, fields: changed }, focus: `${FIELDS}[${at}].from` };
}

function required(draft: Draft, path: string): Edited {
  const known = draft.checks.findIndex((check) => check.path === path);
  const at = known < 0 ? draft.checks.length : known;
  const before = draft.checks[at] ?? { path, type: "" };
  const checks = draft.checks.toSpliced(at, 1, { ...before, required: true });
  return { draft: { ...draft, checks }, focus: `${CHECKS}[${at}].path` };
}

function withTransform(draft: Draft, at: number, type: string): Edited {
  const known = transformNamed(type);
  const field = draft.fields[at];
  if (known === null || field === undefined) return { draft, focus: `${FIELDS}[${at}].add` };
  const settings = Object.fromEntries(
    known.settings.map(({ name, initial = "" }) => [name, initial]),
  );
  const list = `${FIELDS}[${at}].transforms[${field.transforms.length}]`;
  const [first] = known.settings;
  return {
    draft: withField(draft, at, {
      ...field,
      transforms: [...field.transforms, { type, settings }],
    }),
    focus: first === undefined ? `${FIELDS}[${at}].add` : `${list}.${first.name}`,
  };
}

function withoutTransform(draft: Draft, at: number, step: number): Edited {
  const field = draft.fields[at];
  const focus = `${FIELDS}[${at}].add`;
  if (field === undefined) return { draft, focus: null };
  const transforms = field.transforms.filter((_, each) => each !== step);
  return { draft: withField(draft, at, { ...field, transforms }), focus };
}

function withField(draft: Draft, at: number, field: DraftField): Draft {
  return { ...draft, fields: draft.fields.with(at, field) };
}

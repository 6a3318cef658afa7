import type { Form, FormState } from "./form.ts";
import type { Posted } from "./posted.ts";

/** Adds or removes a row where the pressed button asks for it; null where it submits the form. */
export function changedRows(form: Form, typed: Posted): FormState | null {
  const [, act, list = "", digits] =
    /^(add|remove):(.+?)(?:\[(\d{1,4})\])?$/.exec(typed.line("do")) ?? [];
  const field = form.fields[list];
  if (field?.kind !== "rows") return null;
  const isAdded = act === "add";
  const kept = typed.withRows(list, (at) => isAdded || at !== Number(digits));
  const count = kept.rows(list).length;
  const [first = ""] = Object.keys(field.fields);
  const changed = isAdded ? kept.with([[`${list}[${count}].${first}`, ""]]) : kept;
  const last = changed.rows(list).length - 1;
  const focus = { list, at: last < 0 ? ("add" as const) : last };
  return { form, typed: changed, refusal: null, focus };
}

/** Drops the rows in which nothing was typed. */
export function withoutBlankRows({ fields }: Form, typed: Posted): Posted {
  return Object.entries(fields).reduce((left, [list, field]) => {
    if (field.kind !== "rows" || field.keepsBlank) return left;
    const names = Object.entries(field.fields).filter(
      ([, { kind }]) => kind === "line" || kind === "text" || kind === "secret",
    );
    return left.withRows(list, (at) =>
      names.some(([name]) => left.text(`${list}[${at}].${name}`) !== ""),
    );
  }, typed);
}

import type { Child } from "hono/jsx";
import type * as z from "zod";
import { refusalFor } from "./errors.tsx";
import { Control, Controls } from "./fields.tsx";
import { type Form, type FormState, isSet, readForm } from "./form.ts";
import { Posted } from "./posted.ts";

/** The filter of a list, as the address of its page has it. */
export interface ListFilter<Query> {
  /** The filter's form; it is refused where the address is not valid. */
  state: FormState;
  /** The query of the API; null where the address is not valid. */
  query: Query | null;
  cursor: string | null;
  isFiltered: boolean;
}

/** Reads the filter from the query of the page's address. Blank fields filter nothing. */
export function readFilter<Schema extends z.ZodType>(
  form: Form<Schema>,
  search: URLSearchParams,
): ListFilter<z.output<Schema>> {
  const typed = new Posted(search);
  const made = readForm(form, typed);
  const state = { form, typed, refusal: made.ok ? null : refusalFor(made.faults) };
  return {
    state,
    query: made.ok ? made.body : null,
    cursor: typed.line("cursor") || null,
    isFiltered: Object.keys(form.fields).some((name) => isSet(state, name)),
  };
}

/** Returns the query of the address with the same filter and these values, empty without any. */
export function searchOf(
  { state: { form, typed } }: ListFilter<unknown>,
  more: Record<string, string | null> = {},
): string {
  const search = new URLSearchParams();
  for (const name of Object.keys(form.fields)) {
    for (const value of typed.all(name)) search.append(name, value);
  }
  for (const [name, value] of Object.entries(more)) if (value !== null) search.set(name, value);
  return search.size === 0 ? "" : `?${search}`;
}

/** The form of a filter: a plain GET form, so that the page's address holds the filter. */
export function FilterForm({
  filter: { state, isFiltered },
  path,
  children,
}: {
  filter: ListFilter<unknown>;
  path: string;
  children?: Child;
}) {
  const names = Object.keys(state.form.fields);
  const isChoice = (name: string) => state.form.fields[name]?.kind === "choices";
  return (
    <details class="card filters" open={isFiltered}>
      <summary>Filter</summary>
      <form method="get" action={path}>
        {names.filter(isChoice).map((name) => (
          <Control of={state} name={name} />
        ))}
        <Controls of={state} names={names.filter((name) => !isChoice(name))} />
        {children}
        <div class="actions">
          <button type="submit" class="primary">
            Apply filter
          </button>
          {isFiltered && (
            <a class="button" href={path}>
              Clear filter
            </a>
          )}
        </div>
      </form>
    </details>
  );
}

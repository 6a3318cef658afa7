import type * as z from "zod";
import { LinkButton, Submit } from "../components/elements.tsx";
import { Chips } from "../components/layout.tsx";
import { refusalFor } from "./errors.ts";
import { Controls, isAnyFaulty } from "./fields.tsx";
import { type Form, type FormState, isSet, type Options, readForm } from "./form.ts";
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

/** Returns the query of the address with these values in the filter, as `searchWith` says. */
export function searchOf(
  { state: { form, typed } }: ListFilter<unknown>,
  more: Record<string, string | null> = {},
): string {
  const names = Object.keys(form.fields);
  const known = names.flatMap((name) => typed.all(name).map((value) => [name, value]));
  return searchWith(new URLSearchParams(known), more);
}

/** Returns the query of an address with other values, null for none; empty without any. */
export function searchWith(known: URLSearchParams, values: Record<string, string | null>): string {
  const search = new URLSearchParams(known);
  for (const [name, value] of Object.entries(values)) {
    if (value === null) search.delete(name);
    else search.set(name, value);
  }
  return search.size === 0 ? "" : `?${search}`;
}

/**
 * The filter of a list, whose state is the page's address: a search box, the statuses as links, and all
 * other fields folded while none is set. `search` names the field of the box.
 */
export function FilterBar({
  filter,
  path,
  search,
}: {
  filter: ListFilter<unknown>;
  path: string;
  search?: string;
}) {
  const { state, isFiltered } = filter;
  const { typed, form } = state;
  const { status: choice } = form.fields;
  const statuses: Options = choice?.kind === "choices" ? { "": "All", ...choice.options } : {};
  const others = Object.keys(form.fields).filter((name) => name !== search && name !== "status");
  const isOpen = others.some((name) => isSet(state, name)) || isAnyFaulty(state, others);
  const chosen = typed.all("status");
  return (
    <form method="get" action={path} class="filter">
      <div class="filter-head">
        {search !== undefined && (
          <input
            type="search"
            name={search}
            value={typed.line(search)}
            aria-label={form.fields[search]?.label}
            placeholder={form.fields[search]?.label}
          />
        )}
        {choice !== undefined && (
          <Chips
            label="Status"
            links={Object.entries(statuses).map(([value, label]) => ({
              label,
              href: `${path}${searchOf(filter, { status: value || null })}`,
              isCurrent: value === "" ? chosen.length === 0 : chosen.includes(value),
            }))}
          />
        )}
      </div>
      {chosen.map((value) => (
        <input type="hidden" name="status" value={value} />
      ))}
      {others.length > 0 && (
        <details open={isOpen}>
          <summary>More filters</summary>
          <Controls of={state} names={others} />
          <div class="actions">
            <Submit>Apply filter</Submit>
            {isFiltered && <LinkButton href={path}>Clear filter</LinkButton>}
          </div>
        </details>
      )}
    </form>
  );
}

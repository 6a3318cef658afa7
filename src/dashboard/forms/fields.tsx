import type { Child } from "hono/jsx";
import type { Page } from "../context.ts";
import type { Faults } from "./errors.tsx";

/** A labelled control. `error` says what is wrong with what was given. */
export function Field({
  id,
  label,
  hint,
  error,
  children,
}: {
  id: string;
  label: string;
  hint?: string;
  error?: string | undefined;
  children: Child;
}) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p class="error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** The end of a form that has a page of its own: the button that sends it, and the way back. */
export function SendOrCancel({
  send,
  tone = "primary",
  back,
}: {
  send: string;
  tone?: "primary" | "danger";
  back: string;
}) {
  return (
    <div class="actions">
      <button type="submit" class={tone}>
        {send}
      </button>
      <a class="button" href={back}>
        Cancel
      </a>
    </div>
  );
}

interface Common {
  /** The control's name, which is its id as well, and the path of what the API says against it. */
  name: string;
  label: string;
  hint?: string | undefined;
  faults: Faults;
}

type Attributes = Record<string, string | number | boolean | undefined>;

/** A labelled control with its hint and its fault; `children` gets the attributes that tie them together. */
function Labelled({
  name,
  label,
  hint,
  faults,
  children,
}: Common & { children: (attributes: Attributes) => Child }) {
  const error = faults.get(name);
  const described = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(error === undefined ? [] : [`${name}-error`]),
  ].join(" ");
  const attributes = {
    id: name,
    name,
    ...(described !== "" && { "aria-describedby": described }),
    ...(error !== undefined && { "aria-invalid": "true" }),
  };
  return (
    <Field id={name} label={label} {...(hint !== undefined && { hint })} error={error}>
      {children(attributes)}
    </Field>
  );
}

/** One line of text, or whatever else an `input` of this type takes. */
export function Input({
  value = "",
  type = "text",
  more = {},
  ...common
}: Common & { value?: string; type?: string; more?: Attributes }) {
  return (
    <Labelled {...common}>
      {(attributes) => (
        <input {...attributes} type={type} value={value} autocomplete="off" {...more} />
      )}
    </Labelled>
  );
}

/** A secret. It is never written into a page: what was typed is asked for again. */
export function SecretInput(common: Common & { more?: Attributes }) {
  const { more = {}, ...rest } = common;
  return <Input {...rest} type="password" more={{ autocomplete: "new-password", ...more }} />;
}

/** A moment to the second, typed as UTC; `value` may end in the `Z` that the control does not take. */
export function MomentInput({ value, ...common }: Common & { value: string }) {
  const shown = value.replace(/Z$/, "");
  return <Input {...common} type="datetime-local" value={shown} more={{ step: 1 }} />;
}

/** Several lines of text; `code` for what is not prose. */
export function Area({
  value,
  code = false,
  more = {},
  ...common
}: Common & { value: string; code?: boolean; more?: Attributes }) {
  return (
    <Labelled {...common}>
      {(attributes) => (
        <textarea {...attributes} {...(code && { class: "code", spellcheck: false })} {...more}>
          {/* A browser drops the first end of a line: one that was typed must survive. */}
          {value.startsWith("\n") ? `\n${value}` : value}
        </textarea>
      )}
    </Labelled>
  );
}

/** One of several values. */
export function Select({
  value,
  options,
  more = {},
  ...common
}: Common & {
  value: string;
  options: readonly { value: string; label: string }[];
  more?: Attributes;
}) {
  return (
    <Labelled {...common}>
      {(attributes) => (
        <select {...attributes} {...more}>
          {options.map((option) => (
            <option value={option.value} selected={option.value === value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

/** Yes or no. */
export function Check({
  name,
  label,
  hint,
  checked,
}: {
  name: string;
  label: string;
  hint?: string;
  checked: boolean;
}) {
  return (
    <div class="check">
      <input
        type="checkbox"
        id={name}
        name={name}
        checked={checked}
        {...(hint !== undefined && { "aria-describedby": `${name}-hint` })}
      />
      <label for={name}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/**
 * The button that Enter presses in a form whose first button does something else: browsers press the
 * first one there is.
 */
export function DefaultSubmit() {
  return <button type="submit" hidden />;
}

/** The button that takes a row out of a form, and sends the form for that without checking it. */
export function RemoveRow({
  action,
  shown,
  swap,
}: {
  action: string;
  shown: string;
  swap: Record<string, string>;
}) {
  return (
    <button
      type="submit"
      name="do"
      value={action}
      formnovalidate
      aria-label={`Remove ${shown}`}
      {...swap}
    >
      Remove
    </button>
  );
}

/** Where somebody who has just changed a list of rows types next: a row, from 0, or the button that adds one. */
export interface RowFocus {
  at: number | "add";
  /** Whether the rows are put into a page that is open. */
  live: boolean;
}

/** The last row, or the button where there is none. */
export function rowFocus(http: Page, rows: number): RowFocus {
  return {
    at: rows === 0 ? "add" : rows - 1,
    live: http.req.header("HX-Request") !== undefined,
  };
}

/** What gives the focus to one of these places. */
export function focusAttributes(focus: RowFocus | null, at: RowFocus["at"]) {
  if (focus === null || focus.at !== at) return {};
  return focus.live ? { "data-focus": "" } : { autofocus: true };
}

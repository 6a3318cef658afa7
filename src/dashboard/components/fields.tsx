import type { Child } from "hono/jsx";
import type { Faults } from "../forms/faults.ts";
import { Field } from "./form.tsx";

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

import type { Child } from "hono/jsx";
import { LinkButton } from "../components/elements.tsx";
import { capital } from "../format.ts";
import { ErrorSummary, type Faults, faultAt, NO_FAULTS } from "./errors.tsx";
import type { Attributes, Field, FormState, Options } from "./form.ts";
import type { Posted } from "./posted.ts";

/** Shows a control of a form by its definition, with its value and its fault. */
export function Control({ of, name, more }: { of: FormState; name: string; more?: Attributes }) {
  const field = of.form.fields[name];
  return field === undefined ? null : (
    <FieldControl of={of} name={name} field={field} more={more} />
  );
}

/** Shows several controls beside each other. */
export function Controls({ of, names }: { of: FormState; names: readonly string[] }) {
  return (
    <div class="fields">
      {names.map((name) => (
        <Control of={of} name={name} />
      ))}
    </div>
  );
}

/** Shows why the form was refused, with links to the controls. */
export function FormErrors({ of: { form, refusal } }: { of: FormState }) {
  return <ErrorSummary refusal={refusal} labelOf={(name) => labelOf(form.fields, name)} />;
}

/** Tells whether a fault belongs to one of these controls. */
export function isAnyFaulty({ refusal }: FormState, names: readonly string[]): boolean {
  const faults = refusal?.faults ?? NO_FAULTS;
  return names.some((name) => faultAt(faults, name) !== undefined);
}

function labelOf(fields: FormState["form"]["fields"], name: string): string | null {
  const [, list = name, at, inner] = /^(.+)\[(\d+)\]\.(\w+)$/.exec(name) ?? [];
  const field = fields[list];
  if (field === undefined || field.kind === "choices" || field.kind === "check") return null;
  if (field.kind !== "rows" || at === undefined) return list === name ? field.label : null;
  const label = field.fields[inner ?? ""]?.label;
  return label === undefined ? null : `${capital(field.one)} ${Number(at) + 1}, ${label}`;
}

interface ControlProps<Kind extends Field = Field> {
  of: FormState;
  name: string;
  field: Kind;
  more?: Attributes | undefined;
}

function FieldControl({ of, name, field, more = {} }: ControlProps) {
  const { typed, refusal, hints = {} } = of;
  const faults = refusal?.faults ?? NO_FAULTS;
  const common = { name, label: field.label, hint: hints[name] ?? field.hint, faults };
  const value = typed.text(name);
  const attributes = {
    ...(field.required === true && { required: true }),
    ...field.more,
    ...more,
  };
  switch (field.kind) {
    case "check":
      return <Check {...common} checked={typed.isOn(name)} more={attributes} />;
    case "select":
      return <Select {...common} value={value} options={field.options} more={attributes} />;
    case "choices":
      return null;
    case "boxes":
      return <Boxes of={of} name={name} field={field} />;
    case "rows":
      return <Rows of={of} name={name} field={field} />;
    case "text":
      return <Area {...common} value={value} more={attributes} />;
    case "lines":
    case "code":
    case "json":
      return <Area {...common} value={value} code={true} more={attributes} />;
    case "secret": {
      const more = { autocomplete: "new-password", ...attributes };
      const isLost = refusal !== null && typed.text(name) !== "" && !faults.has(name);
      return <Input {...common} type="password" more={more} {...(isLost && { hint: LOST })} />;
    }
    case "moment": {
      const shown = value.replace(/Z$/, "");
      return <Input {...common} type="datetime-local" value={shown} more={{ step: 1 }} />;
    }
    default: {
      const type = field.kind === "number" ? "number" : "text";
      const { suggestions = [] } = field;
      if (suggestions.length === 0) {
        return <Input {...common} type={type} value={value} more={attributes} />;
      }
      const list = `${name}-list`;
      return (
        <>
          <Input {...common} type={type} value={value} more={{ ...attributes, list }} />
          <datalist id={list}>
            {suggestions.map((suggestion) => (
              <option value={suggestion} />
            ))}
          </datalist>
        </>
      );
    }
  }
}

const LOST = "Enter the secret again: pages never include secrets.";

interface Common {
  /** The control's name, which is also its id and the path of its faults. */
  name: string;
  label: string;
  hint?: string | undefined;
  faults?: Faults;
}

/** A labelled control with its hint and its fault; `children` gets the attributes that tie them together. */
function Labelled({
  name,
  label,
  hint,
  faults = NO_FAULTS,
  children,
}: Common & { children: (attributes: Attributes) => Child }) {
  const error = faultAt(faults, name);
  const described = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(error === undefined ? [] : [`${name}-error`]),
  ].join(" ");
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {children({
        id: name,
        name,
        ...(described !== "" && { "aria-describedby": described }),
        ...(error !== undefined && { "aria-invalid": "true" }),
      })}
      <Hint name={name} text={hint} />
      <ErrorText name={name} text={error} />
    </div>
  );
}

function Hint({ name, text }: { name: string; text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="hint" id={`${name}-hint`}>
      {text}
    </p>
  );
}

function ErrorText({ name, text }: { name: string; text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="error" id={`${name}-error`} role="alert">
      {text}
    </p>
  );
}

/** One line of text, or the value of another type of `input`. */
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

/** Several lines of text; `code` for text that is not prose. */
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
          {/* Browsers drop a leading line break: this one keeps the one that was typed. */}
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
}: Common & { value: string; options: Options; more?: Attributes }) {
  return (
    <Labelled {...common}>
      {(attributes) => (
        <select {...attributes} {...more}>
          {Object.entries(options).map(([each, label]) => (
            <option value={each} selected={each === value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

function Check({
  name,
  label,
  hint,
  checked,
  more = {},
}: {
  name: string;
  label: string;
  hint?: string | undefined;
  checked: boolean;
  more?: Attributes;
}) {
  return (
    <div class="check">
      <input
        type="checkbox"
        id={name}
        name={name}
        checked={checked}
        {...(hint !== undefined && { "aria-describedby": `${name}-hint` })}
        {...more}
      />
      <label for={name}>{label}</label>
      <Hint name={name} text={hint} />
    </div>
  );
}

/** A box for each option. */
function Boxes({
  of: { typed, refusal },
  name,
  field: { label, hint, options, hints },
}: ControlProps<Extract<Field, { options: Options }>>) {
  const error = faultAt(refusal?.faults ?? NO_FAULTS, name);
  return (
    <fieldset
      class="boxes"
      id={name}
      {...(error !== undefined && { "aria-describedby": `${name}-error` })}
    >
      <legend>{label}</legend>
      <Hint name={name} text={hint} />
      {Object.entries(options).map(([value, text]) => (
        <Check
          name={`${name}.${value}`}
          label={text}
          hint={hints?.[value]}
          checked={typed.isOn(`${name}.${value}`)}
        />
      ))}
      <ErrorText name={name} text={error} />
    </fieldset>
  );
}

/** Rows of controls that are added and removed; `page.js` does it without leaving the page. */
function Rows({ of, name, field }: ControlProps<Extract<Field, { kind: "rows" }>>) {
  const { typed, refusal, focus = null } = of;
  const focusAt = (at: number | "add"): Attributes => {
    return focus?.list === name && focus.at === at ? { autofocus: true } : {};
  };
  const all = Object.entries(field.fields);
  const isCheck = ([, { kind }]: [string, Field]) => kind === "check";
  return (
    <fieldset id={name} class="rows">
      <legend>{field.label}</legend>
      {field.hint !== undefined && <p class="hint">{field.hint}</p>}
      <ErrorText name={name} text={refusal?.faults.get(name)} />
      {typed.rows(name).map((at) => {
        const path = `${name}[${at}]`;
        const control = ([key, inner]: [string, Field]) => (
          <FieldControl
            of={of}
            name={`${path}.${key}`}
            field={inner}
            more={key === all[0]?.[0] ? focusAt(at) : {}}
          />
        );
        return (
          <fieldset class="row" aria-label={`${capital(field.one)} ${at + 1}`}>
            {all.filter((each) => !isCheck(each)).map(control)}
            <div class="row-end">
              {all.filter(isCheck).map(control)}
              <button
                type="submit"
                name="do"
                value={`remove:${path}`}
                formnovalidate
                aria-label={`Remove ${typed.line(`${path}.${all[0]?.[0]}`) || `${field.one} ${at + 1}`}`}
              >
                Remove
              </button>
            </div>
          </fieldset>
        );
      })}
      <button
        type="submit"
        name="do"
        id={`${name}-add`}
        value={`add:${name}`}
        formnovalidate
        {...focusAt("add")}
      >
        {`Add ${field.one}`}
      </button>
    </fieldset>
  );
}

/**
 * The button that Enter presses in a form whose first button does something else: browsers press the
 * first one there is.
 */
export function DefaultSubmit() {
  return <button type="submit" hidden />;
}

/** The end of a form that has a page of its own: the button that sends it, and the way back. */
export function SubmitOrCancel({
  submit,
  tone = "primary",
  back,
}: {
  submit: string;
  tone?: "primary" | "danger";
  back: string;
}) {
  return (
    <div class="actions">
      <button type="submit" class={tone}>
        {submit}
      </button>
      <LinkButton href={back}>Cancel</LinkButton>
    </div>
  );
}

/** Makes a form that is sent twice count once: each form that is shown has a key of its own. */
export function FormKey() {
  return <input type="hidden" name="once" value={crypto.randomUUID()} />;
}

/** Returns the option of an API call that `FormKey` stands for. */
export function idempotencyOf(typed: Posted): { idempotencyKey?: string } {
  const key = typed.line("once");
  return key === "" ? {} : { idempotencyKey: key };
}

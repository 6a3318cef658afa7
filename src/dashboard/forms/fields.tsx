import { MAX_FILES, MAX_FILES_BYTES } from "../../contract/files.ts";
import { binarySize, capital } from "../../lib/text.ts";
import { LinkButton, Notice } from "../components/elements.tsx";
import { type Faults, faultAt, NO_FAULTS } from "./errors.ts";
import type { Attributes, Field, FormState, Options } from "./form.ts";
import type { Posted } from "./posted.ts";

/** The control for the files of an execution. */
export const FILES: Field = {
  kind: "files",
  label: "Files",
  hint: `Up to ${MAX_FILES} files, ${binarySize(MAX_FILES_BYTES)} in all. The agent gets them as data, never as part of the prompt.`,
};

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

/** Shows why the form was refused, on top of it, with links to the controls. */
export function FormErrors({ of, hasFocus = true }: { of: FormState; hasFocus?: boolean }) {
  const { form, refusal } = of;
  if (refusal === null) return null;
  return (
    // Screen readers skip the alerts that a page opens with, and read what has the focus.
    <div tabindex={-1} autofocus={hasFocus}>
      <Notice tone="bad">
        <p>{refusal.message}</p>
        {refusal.faults.size > 0 && (
          <ul>
            {[...refusal.faults].map(([name, message]) => {
              const label = labelOf(form.fields, name);
              return (
                <li>
                  {label === null ? <code>{name}</code> : <a href={`#${name}`}>{label}</a>}
                  {`: ${message}`}
                </li>
              );
            })}
          </ul>
        )}
      </Notice>
    </div>
  );
}

/** Tells whether a fault belongs to one of these controls. */
export function isAnyFaulty({ refusal }: FormState, names: readonly string[]): boolean {
  const faults = refusal?.faults ?? NO_FAULTS;
  return names.some((name) => faultAt(faults, name) !== undefined);
}

/** Returns the label of a fault's control, null where the page has none. */
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
  const { typed, refusal } = of;
  const faults = refusal?.faults ?? NO_FAULTS;
  const common = { name, faults, more };
  switch (field.kind) {
    case "check":
      return <Check {...field} name={name} checked={typed.isOn(name)} />;
    case "choices":
      return null;
    case "boxes":
      return <Boxes of={of} name={name} field={field} />;
    case "rows":
      return <Rows of={of} name={name} field={field} />;
    case "secret":
    case "files": {
      const isSet = typed.text(name) !== "" || typed.files(name).length > 0;
      const isLost = refusal !== null && isSet && !faults.has(name);
      const shown = { ...field, ...(isLost && { hint: LOST[field.kind] }) };
      return <SingleControl {...common} field={shown} />;
    }
    default:
      return <SingleControl {...common} field={field} value={typed.text(name)} />;
  }
}

const LOST = {
  secret: "Enter the secret again: pages never include secrets.",
  files: "Choose the files again: pages never include files.",
};

/** The definition of a control that has one value, which is a text. */
type SingleField = Exclude<Field, { kind: "check" | "boxes" | "choices" | "rows" }>;

/** A labelled control with its hint and its fault. `name` is also its id and the path of its faults. */
export function SingleControl({
  name,
  field,
  value = "",
  faults = NO_FAULTS,
  more = {},
}: {
  name: string;
  field: SingleField;
  value?: string;
  faults?: Faults;
  more?: Attributes;
}) {
  const error = faultAt(faults, name);
  const described = [
    ...(field.hint === undefined ? [] : [`${name}-hint`]),
    ...(error === undefined ? [] : [`${name}-error`]),
  ].join(" ");
  const attributes = {
    id: name,
    name,
    ...(described !== "" && { "aria-describedby": described }),
    ...(error !== undefined && { "aria-invalid": "true" }),
    ...(field.required === true && { required: true }),
    ...field.more,
    ...more,
  };
  return (
    <div class="field">
      <label for={name}>{field.label}</label>
      <Element field={field} value={value} attributes={attributes} />
      <Note kind="hint" name={name} text={field.hint} />
      <Note kind="error" name={name} text={error} />
    </div>
  );
}

interface ElementProps {
  field: SingleField;
  value: string;
  attributes: Attributes;
}

function Element({ field, value, attributes }: ElementProps) {
  switch (field.kind) {
    case "select":
      return (
        <select {...attributes}>
          {Object.entries(field.options).map(([each, label]) => (
            <option value={each} selected={each === value}>
              {label}
            </option>
          ))}
        </select>
      );
    case "text":
    case "lines":
    case "code":
    case "json":
      return (
        <textarea {...(field.kind !== "text" && AS_CODE)} {...attributes}>
          {/* Browsers drop a leading line break: this one keeps the one that was typed. */}
          {value.startsWith("\n") ? `\n${value}` : value}
        </textarea>
      );
    case "secret":
      return <input type="password" autocomplete="new-password" {...attributes} />;
    case "files":
      return <input type="file" multiple {...attributes} />;
    case "moment": {
      const shown = value.replace(/(?:\.\d+)?Z$/, "");
      return <input type="datetime-local" step={1} value={shown} {...attributes} />;
    }
    default: {
      const type = field.kind === "number" ? "number" : "text";
      const input = { type, value, ...attributes };
      const { suggestions = [] } = field;
      if (suggestions.length === 0) return <input {...input} />;
      const list = `${attributes.id}-list`;
      return (
        <>
          <input {...input} list={list} />
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

const AS_CODE = { class: "code", spellcheck: false };

interface NoteProps {
  kind: "hint" | "error";
  name: string;
  text: string | undefined;
}

function Note({ kind, name, text }: NoteProps) {
  if (text === undefined) return null;
  return (
    <p class={kind} id={`${name}-${kind}`} {...(kind === "error" && { role: "alert" })}>
      {text}
    </p>
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
      <Note kind="hint" name={name} text={hint} />
    </div>
  );
}

/** A box for each option. */
function Boxes({ of, name, field }: ControlProps<Extract<Field, { options: Options }>>) {
  const { typed, refusal } = of;
  const { label, hint, options, hints } = field;
  const error = faultAt(refusal?.faults ?? NO_FAULTS, name);
  return (
    <fieldset
      class="boxes"
      id={name}
      {...(error !== undefined && { "aria-describedby": `${name}-error` })}
    >
      <legend>{label}</legend>
      <Note kind="hint" name={name} text={hint} />
      {Object.entries(options).map(([value, text]) => (
        <Check
          name={`${name}.${value}`}
          label={text}
          hint={hints?.[value]}
          checked={typed.isOn(`${name}.${value}`)}
        />
      ))}
      <Note kind="error" name={name} text={error} />
    </fieldset>
  );
}

/** Rows of controls that are added and removed; `page.js` does it without leaving the page. */
function Rows({ of, name, field }: ControlProps<Extract<Field, { kind: "rows" }>>) {
  const { typed, refusal, focus } = of;
  const focusAt = (at: number | "add"): Attributes => {
    return focus?.list === name && focus.at === at ? { autofocus: true } : {};
  };
  const all = Object.entries(field.fields);
  const isCheck = ([, { kind }]: [string, Field]) => kind === "check";
  return (
    <fieldset id={name} class="rows">
      <legend>{field.label}</legend>
      {field.hint !== undefined && <p class="hint">{field.hint}</p>}
      <Note kind="error" name={name} text={refusal?.faults.get(name)} />
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

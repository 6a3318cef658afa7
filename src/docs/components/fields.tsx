import type { Schema } from "../openapi.ts";
import { fieldsOf, typeOf, variantsOf } from "../schema/describe.ts";
import { opened, opensHere, type Place, wordsFor } from "../schema/place.ts";
import { Constraints } from "./constraints.tsx";
import { Words } from "./prose.tsx";

/** One value with a name: a field of a body, a parameter, a header. */
export interface NamedValue {
  name: string;
  schema: Schema;
  isRequired: boolean;
  description?: string;
}

/** The fields of an object. */
export function Fields({ schema, place }: { schema: Schema; place: Place }) {
  const { properties = {}, required = [] } = schema;
  const values = Object.entries(properties).map(([name, each]) => ({
    name,
    schema: each,
    isRequired: required.includes(name),
  }));
  return values.length === 0 ? null : <Values values={values} place={place} />;
}

/** Values, each with its type, what it means and what it must keep to. */
export function Values({ values, place }: { values: readonly NamedValue[]; place: Place }) {
  return (
    <ul class="values">
      {values.map((value) => (
        <li>
          <Value value={value} place={place} />
        </li>
      ))}
    </ul>
  );
}

function Value({ value, place }: { value: NamedValue; place: Place }) {
  const { name, schema, isRequired } = value;
  const text = value.description ?? wordsFor(schema, place);
  return (
    <>
      <p class="field-head">
        <code class="name">{name}</code> <Type schema={schema} place={place} />
        {place.isInput && isRequired && <span class="required">required</span>}
        {!place.isInput && !isRequired && <span class="type">not always</span>}
      </p>
      {text !== "" && (
        <p>
          <Words text={text} />
        </p>
      )}
      <Constraints schema={schema} />
      <Inside schema={schema} place={place} name={name} />
    </>
  );
}

/** What is inside of a value, folded: its fields, or its alternatives. */
function Inside({ schema, place, name }: { schema: Schema; place: Place; name: string }) {
  const open = opened(schema, place);
  if (open === null) return null;
  const fields = fieldsOf(open.inner);
  const variants = variantsOf(open.inner);
  if (fields === null && variants.length === 0) return null;
  return (
    <details>
      <summary>
        {fields === null ? "Kinds of " : "Fields of "}
        <code>{name}</code>
      </summary>
      {fields === null ? (
        <Variants variants={variants} place={open.place} />
      ) : (
        <Fields schema={fields} place={open.place} />
      )}
    </details>
  );
}

/** The alternatives of a value, one after the other. */
export function Variants({ variants, place }: { variants: readonly Schema[]; place: Place }) {
  return (
    <ul class="variants">
      {variants.map((variant) => (
        <li>
          <Variant variant={variant} place={place} />
        </li>
      ))}
    </ul>
  );
}

function Variant({ variant, place }: { variant: Schema; place: Place }) {
  const open = opened(variant, place);
  const tag = tagOf(variant);
  const description = tag?.description ?? wordsFor(variant, place);
  const fields = open === null ? null : fieldsOf(open.inner);
  return (
    <>
      <p class="field-head">
        {tag ? <code class="name">{tag.text}</code> : <Type schema={variant} place={place} />}
      </p>
      {description !== "" && (
        <p>
          <Words text={description} />
        </p>
      )}
      <Constraints schema={variant} />
      {open !== null && fields !== null && (
        <Fields schema={tag ? without(fields, tag.name) : fields} place={open.place} />
      )}
    </>
  );
}

/** The field that tells an alternative from the others, by its one value. */
function tagOf({ properties = {} }: Schema) {
  const found = Object.entries(properties).find(([, { const: value }]) => value !== undefined);
  if (found === undefined) return null;
  const [name, { const: value, description }] = found;
  return { name, text: `${name}: ${JSON.stringify(value)}`, description };
}

function without({ properties = {}, ...rest }: Schema, name: string): Schema {
  const others = Object.entries(properties).filter(([each]) => each !== name);
  return { ...rest, properties: Object.fromEntries(others) };
}

/** A type in words; what does not open in place is a link to where it is explained. */
export function Type({ schema, place }: { schema: Schema; place: Place }) {
  return (
    <span class="type">
      {typeOf(schema).map((part) => {
        if ("text" in part) return part.text;
        const name = part.schema;
        return opensHere(name, place) ? name : <a href={`#schema-${name}`}>{name}</a>;
      })}
    </span>
  );
}

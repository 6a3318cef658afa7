import type { Schema } from "../reference.ts";
import {
  fieldsOf,
  limitsOf,
  opened,
  opensHere,
  type Place,
  typeOf,
  valuesOf,
  variantsOf,
  wordsFor,
} from "../schema.ts";
import { Words } from "./text.tsx";

/** A named value: a field of a body, a parameter, a header. */
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

/** Values with their types, descriptions and constraints. */
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
        {!place.isInput && !isRequired && <span class="type">optional</span>}
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

/** The fields or alternatives of a value, folded. */
function Inside({ schema, place, name }: { schema: Schema; place: Place; name: string }) {
  const open = opened(schema, place);
  if (open === null) return null;
  const fields = fieldsOf(open.inner);
  const variants = variantsOf(open.inner);
  if (fields === null && variants.length === 0) return null;
  return (
    <details>
      <summary>
        {fields === null ? "Variants of " : "Fields of "}
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

/** The alternatives of a value. */
function Variants({ variants, place }: { variants: readonly Schema[]; place: Place }) {
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

/** Returns the field whose one value tells an alternative from the others. */
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

/** A type in words. A schema that does not open in place is a link. */
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

/** The constraints of a value beside its type, and its default. */
function Constraints({ schema }: { schema: Schema }) {
  const values = valuesOf(schema);
  const limits = limitsOf(schema);
  const fallback = schema.default === undefined ? undefined : JSON.stringify(schema.default);
  return (
    <>
      {values.length > 0 && (
        <p class="limits">
          one of{" "}
          {values.map((value, at) => (
            <>
              {at > 0 && ", "}
              <code>{JSON.stringify(value)}</code>
            </>
          ))}
        </p>
      )}
      {limits.length > 0 && <p class="limits">{limits.join(", ")}</p>}
      {schema.pattern !== undefined && (
        <p class="limits">
          matches <code>{schema.pattern}</code>
        </p>
      )}
      {fallback !== undefined && fallback !== "{}" && (
        <p class="limits">
          default <code>{fallback}</code>
        </p>
      )}
    </>
  );
}

/** The schemas of responses, with their fields. */
export function SchemasSection({ names, place }: { names: readonly string[]; place: Place }) {
  return (
    <section id="schemas">
      <h2>Schemas</h2>
      <p>
        The objects in responses and callbacks. Request bodies are described with their operations.
      </p>
      {names.map((name) => (
        <article class="schema" id={`schema-${name}`} data-filter={name}>
          <h3>
            <a href={`#schema-${name}`}>{name}</a>
          </h3>
          <SchemaBody schema={place.schemas.get(name) ?? {}} place={place} />
        </article>
      ))}
    </section>
  );
}

function SchemaBody({ schema, place }: { schema: Schema; place: Place }) {
  const fields = fieldsOf(schema);
  const variants = variantsOf(schema);
  const { description } = schema;
  return (
    <>
      {description !== undefined && (
        <p>
          <Words text={description} />
        </p>
      )}
      {fields !== null && <Fields schema={fields} place={place} />}
      {fields === null && variants.length > 0 && <Variants variants={variants} place={place} />}
      {fields === null && variants.length === 0 && (
        <p class="type">
          {typeOf(schema).map((part) => ("text" in part ? part.text : part.schema))}
        </p>
      )}
      {fields === null && <Constraints schema={schema} />}
    </>
  );
}

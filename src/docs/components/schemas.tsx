import type { Schema } from "../openapi.ts";
import { fieldsOf, typeOf, variantsOf } from "../schema/describe.ts";
import type { Place } from "../schema/place.ts";
import { Constraints } from "./constraints.tsx";
import { Fields, Variants } from "./fields.tsx";
import { Words } from "./prose.tsx";

/** The schemas that answers are made of, each with its fields. */
export function SchemasSection({ names, place }: { names: readonly string[]; place: Place }) {
  return (
    <section id="schemas">
      <h2>Schemas</h2>
      <p>What answers and callbacks are made of. The bodies of requests are told beside them.</p>
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

import { type CurlTarget, curlOf, exampleQuery } from "../curl.ts";
import { pythonOf, typescriptOf } from "../programs.ts";
import type { Body, ReferenceOperation, SuccessResponse } from "../reference.ts";
import type { Place } from "../schema.ts";
import { Fields, type NamedValue, Type, Values } from "./fields.tsx";
import { Example, Prose, Snippet, Words } from "./text.tsx";

/** Headers of every response, which are explained in the conventions. */
const EVERYWHERE = new Set(["X-Request-Id", "RateLimit", "RateLimit-Policy"]);

/** An operation: its request, its responses, and the command that runs its example. */
export function OperationSection({
  operation,
  place,
  target,
}: {
  operation: ReferenceOperation;
  place: Place;
  target: CurlTarget;
}) {
  const { id, method, path, summary, description, responses } = operation;
  const { origin } = target;
  const example = responses[0]?.contents[0];
  const sample = operation.body?.contents[0]?.example;
  return (
    <article
      class="operation"
      id={id}
      data-filter={`${summary} ${method} ${path} ${id}`}
      data-method={method}
      data-path={`${path}${exampleQuery(operation)}`}
      {...(sample !== undefined && { "data-body": JSON.stringify(sample, null, 2) })}
    >
      <header>
        <h3>
          <a href={`#${id}`}>{summary}</a>
        </h3>
        <p class="endpoint">
          <Method name={method} /> <code>{path}</code>
        </p>
      </header>
      <div class="operation-text">
        <Prose text={description} />
        <Parameters operation={operation} place={place} />
        {operation.body !== null && <BodyPart body={operation.body} place={place} />}
        <Responses responses={responses} place={place} />
        <Problems operation={operation} />
        {operation.callbacks.length > 0 && (
          <p>
            Sends a <a href="#guide-callbacks">callback</a> if a <code>callbackUrl</code> is set.
          </p>
        )}
      </div>
      <div class="operation-code">
        <Snippet id={`curl-${id}`} label="Request" text={curlOf(operation, target)} />
        <Program id={`typescript-${id}`} name="TypeScript" text={typescriptOf(operation, origin)} />
        <Program id={`python-${id}`} name="Python" text={pythonOf(operation, origin)} />
        {example !== undefined && (
          <Example label={`Response ${responses[0]?.status}`} value={example.example} />
        )}
      </div>
    </article>
  );
}

/** The request in another language, folded. */
function Program({ id, name, text }: { id: string; name: string; text: string | null }) {
  if (text === null) return null;
  return (
    <details class="program">
      <summary>{name}</summary>
      <Snippet id={id} label={`Request in ${name}`} text={text} />
    </details>
  );
}

export function Method({ name }: { name: string }) {
  return <span class={`method ${name.toLowerCase()}`}>{name}</span>;
}

const PLACES = { path: "Path", query: "Query", header: "Headers" } as const;

function Parameters({ operation, place }: { operation: ReferenceOperation; place: Place }) {
  return (
    <>
      {(["path", "query", "header"] as const).map((where) => {
        const values = operation.parameters
          .filter((each) => each.in === where)
          .map(({ name, schema, description, required }): NamedValue => {
            const text = description === "" ? schema.description : description;
            return { name, schema, isRequired: required, ...(text && { description: text }) };
          });
        if (values.length === 0) return null;
        return (
          <>
            <h4>{PLACES[where]}</h4>
            <Values values={values} place={{ ...place, isInput: true }} />
          </>
        );
      })}
    </>
  );
}

function BodyPart({ body, place }: { body: Body; place: Place }) {
  const schema = body.contents[0]?.schema ?? {};
  const name = schema.$ref?.split("/").at(-1);
  const whole = name === undefined ? schema : place.schemas.get(name);
  const inside = { ...place, isInput: true, within: name === undefined ? [] : [name] };
  return (
    <>
      <h4>Body{!body.required && <span class="muted"> optional</span>}</h4>
      {whole?.properties ? (
        <Fields schema={whole} place={inside} />
      ) : (
        <p>
          <Type schema={schema} place={inside} />
        </p>
      )}
    </>
  );
}

function Responses({ responses, place }: { responses: readonly SuccessResponse[]; place: Place }) {
  return (
    <>
      <h4>Responses</h4>
      <ul class="values">
        {responses.map(({ status, description, headers, contents }) => {
          const own = headers.filter(({ name }) => !EVERYWHERE.has(name));
          return (
            <li>
              <p class="field-head">
                <code class="name">{status}</code>{" "}
                {contents.map(({ mediaType, schema }) => (
                  <>
                    <Type schema={schema} place={place} />
                    {mediaType !== "application/json" && <span class="type">{mediaType}</span>}
                  </>
                ))}
              </p>
              <p>
                <Words text={description} />
              </p>
              {own.length > 0 && (
                <Values
                  values={own.map(({ name, schema, description: text, required }) => ({
                    name,
                    schema,
                    isRequired: required,
                    description: text,
                  }))}
                  place={place}
                />
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Problems({ operation: { problems } }: { operation: ReferenceOperation }) {
  return (
    <>
      <h4>Errors</h4>
      <ul class="codes">
        {problems.map(({ status, codes }) =>
          codes.map((code) => (
            <li>
              {status} <a href={`#problem-${code}`}>{code}</a>
            </li>
          )),
        )}
      </ul>
    </>
  );
}

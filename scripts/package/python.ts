import { nameIn, type Reference, type ReferenceOperation, type Schema } from "./reference.ts";

const START = /^# region Generated .*$/m;
const END = /^# endregion$/m;

/**
 * Replaces the generated part of the Python client: a type for each schema that it needs, and a method
 * for each operation. Throws for a text without the marks of that part.
 */
export function withOperations(client: string, reference: Reference): string {
  const start = START.exec(client);
  const end = END.exec(client);
  if (start === null || end === null) throw new Error("The client has no generated part.");
  const head = client.slice(0, start.index + start[0].length);
  return `${head}\n${generate(reference)}\n${client.slice(end.index)}`;
}

function generate({ tags, schemas }: Reference): string {
  const operations = tags.flatMap((tag) => tag.operations).filter(hasPythonMethod);
  const types = new Types(schemas);
  const methods = operations.map((operation) => methodOf(operation, types));
  const awaited = methods.map((method) =>
    method
      .replace("    def ", "    async def ")
      .replace("return self._call(", "return await self._call("),
  );
  types.need("CallbackBody");
  return `${types.declarations()}

class Operations:
    """Every operation of the API."""

    def _call(${CALLED}) -> Any:
        raise NotImplementedError

${methods.join("\n\n")}


class AsyncOperations:
    """Every operation of the API, to be awaited."""

    async def _call(${CALLED}) -> Any:
        raise NotImplementedError

${awaited.join("\n\n")}
`;
}

/** What a call needs besides its method and its path. */
const CALLED = `
        self,
        method: str,
        path: str,
        *,
        query: abc.Mapping[str, Any] | None = None,
        body: Any = None,
        headers: abc.Mapping[str, str | None] | None = None,
        raw: bool = False,
    `;

/** The client raises a class of its own by this name. */
const OWN_CLASS = "Problem";

/** The Python types of schemas, declared once each. */
class Types {
  readonly #schemas: Reference["schemas"];
  readonly #declared = new Map<string, string>();

  constructor(schemas: Reference["schemas"]) {
    this.#schemas = schemas;
  }

  declarations(): string {
    return [...this.#declared.values()].join("\n\n");
  }

  /** Returns the name of a schema's type, and declares it. */
  need(id: string): string {
    const schema = this.#schemas.get(id);
    if (schema === undefined) throw new Error(`There is no schema ${id}.`);
    const name = id === OWN_CLASS ? `${id}Details` : id;
    if (!this.#declared.has(name)) this.#declare(name, schema);
    return name;
  }

  /** Returns the expression of a schema's type; an object within it is declared as `name`. */
  of(schema: Schema, name: string): string {
    if (schema.$ref !== undefined) return this.need(nameIn(schema.$ref));
    if (schema.const !== undefined) return literal([schema.const]);
    if (schema.enum !== undefined) return literal(schema.enum);
    const variants = schema.anyOf ?? schema.oneOf;
    if (variants !== undefined) {
      return union(variants.map((each, index) => this.of(each, name + variantName(each, index))));
    }
    return union([schema.type ?? []].flat().map((type) => this.#plain(type, schema, name)));
  }

  #plain(type: string, schema: Schema, name: string): string {
    if (type === "array") return `list[${this.of(schema.items ?? {}, `${name}Item`)}]`;
    if (type !== "object") return PLAIN[type] ?? "Any";
    if (schema.properties !== undefined) {
      this.#declare(name, schema);
      return name;
    }
    const { additionalProperties: values } = schema;
    return `dict[str, ${typeof values === "object" ? this.of(values, `${name}Value`) : "Any"}]`;
  }

  #declare(name: string, schema: Schema): void {
    // Set first: a schema may refer to itself.
    this.#declared.set(name, "");
    const { properties } = schema;
    if (properties === undefined) {
      const alias = JSON.stringify(this.of(schema, name));
      this.#declared.set(name, `${name}: TypeAlias = ${alias}\n`);
      return;
    }
    const required = new Set(schema.required);
    const fields = Object.entries(properties).map(([field, each]) => {
      const type = this.of(each, name + pascal(field));
      return [field, required.has(field) ? type : `NotRequired[${type}]`] as const;
    });
    this.#declared.set(name, typedDict(name, fields));
  }
}

const PLAIN: Record<string, string> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

function typedDict(name: string, fields: (readonly [name: string, type: string])[]): string {
  if (fields.every(([field]) => IDENTIFIER.test(field) && !KEYWORDS.has(field))) {
    const lines = fields.map(([field, type]) => `    ${field}: ${type}`);
    return `class ${name}(TypedDict):\n${lines.join("\n") || "    pass"}\n`;
  }
  // A field whose name is a word of Python, such as `in`.
  const lines = fields.map(([field, type]) => `        ${JSON.stringify(field)}: ${quoted(type)},`);
  return `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join("\n")}\n    },\n)\n`;
}

const IDENTIFIER = /^[A-Za-z_]\w*$/;
const KEYWORDS = new Set(
  "and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield None True False".split(
    " ",
  ),
);

/** Quotes what is not declared yet where the expression is evaluated. */
function quoted(type: string): string {
  const inner = /^NotRequired\[(.*)\]$/s.exec(type)?.[1];
  return inner === undefined ? JSON.stringify(type) : `NotRequired[${JSON.stringify(inner)}]`;
}

function literal(values: unknown[]): string {
  const texts = values.map((value) => (value === null ? "None" : python(value)));
  return `Literal[${texts.join(", ")}]`;
}

function python(value: unknown): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  return JSON.stringify(value).replaceAll('"', "'");
}

function union(types: string[]): string {
  const all = [...new Set(types)];
  return all.length === 0 || all.includes("Any") ? "Any" : all.join(" | ");
}

/** Names a variant by its first fixed field, or by its place. */
function variantName(schema: Schema, index: number): string {
  const fixed = Object.values(schema.properties ?? {}).find((each) => each.const !== undefined);
  return typeof fixed?.const === "string" ? pascal(fixed.const) : String(index + 1);
}

function methodOf(operation: ReferenceOperation, types: Types): string {
  const { id, method, path, summary, parameters, body, responses } = operation;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const query = parameters.filter((each) => each.in === "query");
  const isRepeatable = parameters.some(({ name }) => name === "Idempotency-Key");
  const bodySchema = body?.contents.find(({ mediaType }) => mediaType === JSON_TYPE)?.schema;
  const bodyType = bodySchema ? types.of(bodySchema, `${pascal(id)}Body`) : null;
  const answer = responses.flatMap(({ contents }) => contents);
  const json = answer.filter(({ mediaType }) => mediaType === JSON_TYPE);
  const result =
    json.length > 0
      ? union(json.map(({ schema }) => types.of(schema, `${pascal(id)}Answer`)))
      : answer.length > 0
        ? "bytes"
        : "None";

  const positional = ["self", ...inPath.map((name) => `${pythonName(name)}: str`)];
  if (bodyType !== null) {
    positional.push(body?.required ? `body: ${bodyType}` : `body: ${bodyType} | None = None`);
  }
  const named = query.map(({ name, schema }) => {
    return `${pythonName(name)}: ${types.of(schema, pascal(id) + pascal(name))} | None = None`;
  });
  if (isRepeatable) named.push("idempotency_key: str | None = None");
  const signature = [...positional, ...(named.length > 0 ? ["*", ...named] : [])];

  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => `{_quoted(${pythonName(name)})}`);
  const options = [`"${method}"`, `${inPath.length > 0 ? "f" : ""}"${url}"`];
  if (query.length > 0) {
    const pairs = query.map(({ name }) => `"${name}": ${pythonName(name)}`);
    options.push(`query={${pairs.join(", ")}}`);
  }
  if (bodyType !== null)
    options.push(body?.required ? "body=body" : "body={} if body is None else body");
  // A call that names no key is given one, so that repeating it has no further effect.
  if (isRepeatable)
    options.push('headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())}');
  if (result === "bytes") options.push("raw=True");
  return `    def ${pythonName(id)}(
${signature.map((each) => `        ${each},`).join("\n")}
    ) -> ${result}:
        """${summary}."""
        return self._call(
${options.map((each) => `            ${each},`).join("\n")}
        )`;
}

const JSON_TYPE = "application/json";

function pascal(name: string): string {
  return name.replace(/(?:^|[^A-Za-z0-9])([A-Za-z0-9])/g, (_, first: string) =>
    first.toUpperCase(),
  );
}

/** Operations without a method: operators and senders use no client. */
const WITHOUT_METHOD = new Set(["Operators", "Service"]);

function hasPythonMethod({ tag, path }: ReferenceOperation): boolean {
  return !WITHOUT_METHOD.has(tag) && path.startsWith("/api/");
}

/** Returns the Python name of an operation, a parameter or an argument: `waitSeconds` is `wait_seconds`. */
function pythonName(name: string): string {
  const text = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll("-", "_");
  return text === "in" || text === "from" ? `${text}_` : text;
}

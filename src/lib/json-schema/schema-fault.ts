/** An error in a JSON Schema. `path` leads to it from the schema's root, as `.properties.age.type`. */
export class SchemaFault extends Error {
  readonly path: string;
  readonly rule: string;

  constructor(path: string, rule: string, message: string) {
    super(message);
    this.name = "SchemaFault";
    this.path = path;
    this.rule = rule;
  }
}

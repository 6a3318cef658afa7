/** What is wrong with a JSON Schema, and where: a path from its root such as `.properties.age.type`. */
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

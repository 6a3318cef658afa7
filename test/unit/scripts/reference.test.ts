import { describe, expect, it } from "vitest";
import { nameIn, referenceOf, type Schema } from "../../../scripts/package/reference.ts";
import { apiDocument } from "../../../src/http/routes.ts";

const reference = referenceOf(apiDocument());
const operations = reference.tags.flatMap((tag) => tag.operations);

/** The description of a value or, without one, of the schema that it or its items refer to. */
function wordsFor({ description, $ref, anyOf = [], items }: Schema): string {
  if (description !== undefined) return description;
  if ($ref !== undefined) return reference.schemas.get(nameIn($ref))?.description ?? "";
  const [only, ...others] = anyOf.filter(({ type }) => type !== "null");
  if (only !== undefined && others.length === 0) return wordsFor(only);
  return items === undefined ? "" : wordsFor(items);
}

describe("the document", () => {
  it("describes every field", () => {
    const silent = [...reference.schemas].flatMap(([name, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, schema]) => wordsFor(schema) === "")
        .map(([field]) => `${name}.${field}`),
    );
    expect(silent).toEqual([]);
  });

  it("has an example of every body of a request", () => {
    for (const { id, body } of operations) {
      for (const { example, mediaType } of body?.contents ?? []) {
        expect(example, `${id} ${mediaType}`).toBeDefined();
      }
    }
  });

  it("puts the usual response first", () => {
    const statuses = (id: string) =>
      operations.find((each) => each.id === id)?.responses.map(({ status }) => status);
    expect(statuses("receiveWebhook")).toEqual([202, 200]);
    expect(statuses("readExecutionEvents")).toEqual([200, 204]);
    expect(statuses("getExecutionStatus")).toEqual([200, 304]);
  });

  it("lists the callbacks and the operations that request them", () => {
    expect(reference.callbacks.map(({ expression }) => expression)).toEqual([
      "{$request.body#/callbackUrl}",
    ]);
    const asking = operations.filter(({ callbacks }) => callbacks.length > 0).map(({ id }) => id);
    expect(asking).toEqual([
      "triggerExecution",
      "forkExecution",
      "createRetry",
      "redeliverCallback",
      "createWorkflow",
      "updateWorkflow",
    ]);
  });

  it("is refused with a dangling reference", () => {
    const responses = { 404: { $ref: "#/components/responses/Nothing" } };
    const get = {
      operationId: "x",
      tags: ["X"],
      summary: "x",
      description: "x",
      security: [],
      responses,
    };
    const components = { schemas: {}, responses: {}, headers: {}, callbacks: {} };
    const broken = { tags: [], paths: { "/": { get } }, components };
    expect(() => referenceOf(broken)).toThrow("#/components/responses/Nothing points to nothing");
  });
});

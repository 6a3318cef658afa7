import { describe, expect, it } from "vitest";
import { PROBLEMS } from "../../../src/contract/problem.ts";
import { PROBLEM_TEXTS } from "../../../src/docs/components/problems.tsx";
import { referenceOf } from "../../../src/docs/reference.ts";
import { wordsFor } from "../../../src/docs/schema.ts";
import { apiDocument } from "../../../src/http/routes.ts";

const reference = referenceOf(apiDocument());
const operations = reference.tags.flatMap((tag) => tag.operations);
const place = { schemas: reference.schemas, isInput: true, within: [] };

describe("the document", () => {
  it("says of every field what it means", () => {
    const silent = [...reference.schemas].flatMap(([name, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, schema]) => wordsFor(schema, place) === "")
        .map(([field]) => `${name}.${field}`),
    );
    expect(silent).toEqual([]);
  });

  it("has an example of every body and of every answer that has one", () => {
    for (const { id, body, responses } of operations) {
      const contents = [...(body?.contents ?? []), ...responses.flatMap((each) => each.contents)];
      for (const { example, mediaType } of contents) {
        expect(example, `${id} ${mediaType}`).toBeDefined();
      }
    }
  });

  it("puts the answer that is usual before the others", () => {
    const statuses = (id: string) =>
      operations.find((each) => each.id === id)?.responses.map(({ status }) => status);
    expect(statuses("receiveWebhook")).toEqual([202, 200]);
    expect(statuses("readExecutionEvents")).toEqual([200, 204]);
    expect(statuses("getExecutionStatus")).toEqual([200, 304]);
  });

  it("tells what is called back, and who asks for it", () => {
    expect(reference.callbacks.map(({ expression }) => expression)).toEqual([
      "{$request.body#/callbackUrl}",
    ]);
    const asking = operations.filter(({ callbacks }) => callbacks.length > 0).map(({ id }) => id);
    expect(asking).toEqual([
      "triggerExecution",
      "redeliverCallback",
      "createWorkflow",
      "updateWorkflow",
    ]);
  });

  it("is refused where it points to nothing", () => {
    const broken = {
      tags: [],
      paths: {
        "/": {
          get: {
            operationId: "x",
            tags: ["X"],
            summary: "x",
            description: "x",
            security: [],
            responses: { 404: { $ref: "#/components/responses/Nothing" } },
          },
        },
      },
      components: { schemas: {}, responses: {}, headers: {}, callbacks: {} },
    };
    expect(() => referenceOf(broken)).toThrow("#/components/responses/Nothing points to nothing");
  });
});

it("explains every error code in words of its own", () => {
  expect(Object.keys(PROBLEM_TEXTS)).toEqual(Object.keys(PROBLEMS));
  const texts = Object.values(PROBLEM_TEXTS).flatMap(({ meaning, remedy }) => [meaning, remedy]);
  expect(new Set(texts).size).toBe(texts.length);
});

import { expect, it } from "vitest";
import { hookRoutes } from "../../../src/http/hooks.ts";
import { routes as mounted } from "../../../src/http/routes.ts";
import { checkerOf } from "../../support/json-schema.ts";
import { runExample, servedDocument } from "../../support/worker/examples.ts";

const routes = [...hookRoutes, ...mounted];
const ids = routes.map(({ operationId }) => operationId);

const served = await servedDocument();
const check = checkerOf(served.components);

const operationOf = (id: string) => {
  const operation = served.operations.get(id);
  if (operation === undefined) throw new Error(`${id} is not in the document`);
  return operation;
};

const sendingBodies = routes.flatMap(({ body, operationId }) =>
  body.content === null ? [] : [operationId],
);

it.each(ids)("the example of %s gets the documented response", async (id) => {
  const operation = operationOf(id);
  const response = await runExample(served.operations, id);
  const [answer] = operation.responses;
  expect(response.status).toBe(answer?.status);
  for (const { name, required } of answer?.headers ?? []) {
    if (required) expect(response.headers.has(name), name).toBe(true);
  }
  const mediaType = response.headers.get("Content-Type")?.split(";", 1)[0];
  if (mediaType === "application/json" || sendingBodies.includes(id)) {
    const content = answer?.contents.find((each) => each.mediaType === mediaType);
    const answered = await response.json();
    check(answered, content?.schema, id);
    return;
  }
  await response.body?.cancel();
  // A file has a type of its own.
  expect([mediaType, "*/*"]).toContain(answer?.contents[0]?.mediaType);
});

it.each(ids)("the examples of %s match their schemas", (id) => {
  const { body, parameters } = operationOf(id);
  for (const { schema, example, mediaType } of body?.contents ?? []) {
    expect(example, mediaType).toBeDefined();
    check(example, schema, mediaType);
  }
  for (const { name, schema, example } of parameters) {
    if (example !== undefined) check(example, schema, name);
  }
});

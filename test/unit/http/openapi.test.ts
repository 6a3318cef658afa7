import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, it } from "vitest";
import { hookRoutes } from "../../../src/http/hook-routes.ts";
import { openApiDocument } from "../../../src/http/openapi.ts";
import { routes } from "../../../src/http/routes.ts";

it("writes a valid OpenAPI 3.1 document", async () => {
  const document = structuredClone({ ...openApiDocument([...hookRoutes, ...routes]) });
  const result = await new Validator().validate(document);
  expect(result).toEqual({ valid: true });
});

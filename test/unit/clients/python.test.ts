import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { withOperations } from "../../../scripts/package/python.ts";
import { referenceOf } from "../../../src/docs/reference.ts";
import { apiDocument } from "../../../src/http/routes.ts";

const CLIENT = "clients/python/prompthook.py";

it("the Python client has the types and operations of the API document", async () => {
  const client = withOperations(await readFile(CLIENT, "utf8"), referenceOf({ ...apiDocument() }));
  await expect(client).toMatchFileSnapshot(`../../../${CLIENT}`);
});

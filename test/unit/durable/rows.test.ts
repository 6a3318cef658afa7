import { expect, test } from "vitest";
import * as z from "zod";
import { firstRow, insertRow, jsonColumn, rowShape } from "../../../src/durable/rows.ts";
import { tableStorage } from "../../support/table-storage.ts";

test("a row is written and read by the names of its fields, with lists and objects as JSON", () => {
  const { sql } = tableStorage();
  sql.exec("CREATE TABLE things (thing_id TEXT, is_new INTEGER, tags TEXT, lost TEXT)");
  insertRow(sql, "things", { thingId: "a", isNew: true, tags: ["x"], lost: undefined });
  const shape = rowShape({
    thingId: z.string(),
    isNew: z.int(),
    tags: jsonColumn(z.array(z.string())),
    lost: z.null(),
  });
  const read = firstRow(sql, shape, "SELECT * FROM things");
  expect(read).toEqual({ thingId: "a", isNew: 1, tags: ["x"], lost: null });
});

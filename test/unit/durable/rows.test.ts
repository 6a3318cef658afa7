import { expect, test } from "vitest";
import * as z from "zod";
import { jsonColumn, type Row, rowShape, Tables } from "../../../src/durable/rows.ts";
import { tableStorage } from "../../support/table-storage.ts";

class Things extends Tables {
  add = (row: Row) => this.insert("things", row);
  find = <Shape>(shape: z.ZodType<Shape>) => this.first(shape, "SELECT * FROM things");
}

test("a row is written and read by field names, with lists and objects as JSON", () => {
  const { sql } = tableStorage();
  sql.exec("CREATE TABLE things (thing_id TEXT, is_new INTEGER, tags TEXT, lost TEXT)");
  const things = new Things(sql);
  things.add({ thingId: "a", isNew: true, tags: ["x"], lost: undefined });
  const shape = rowShape({
    thingId: z.string(),
    isNew: z.int(),
    tags: jsonColumn(z.array(z.string())),
    lost: z.null(),
  });
  expect(things.find(shape)).toEqual({ thingId: "a", isNew: 1, tags: ["x"], lost: null });
});

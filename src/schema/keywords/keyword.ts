import type { Json, JsonObject } from "../../contract/json.ts";
import type { Rule } from "../run.ts";

/** Makes the rule of a schema within a schema; `keyword` is what holds it. */
export type Compile = (schema: Json, keyword: string) => Rule;

/** Makes the rule of a keyword from what it holds, and from the schema that it stands in. */
export type Keyword = (held: Json, schema: JsonObject, compile: Compile) => Rule;

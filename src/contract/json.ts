import * as z from "zod";

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** Any JSON value, checked. Bodies reach it through the strict parser, which bounds their depth. */
export const json: z.ZodType<Json> = z.json() as z.ZodType<Json>;

/** A JSON object, checked. */
export const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), json);

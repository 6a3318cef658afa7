import * as z from "zod";

/** The version of what this code stores. */
const VERSION = 1;

/**
 * The oldest version of the code that may read a stored object. Fields that only newer code knows stay in
 * the object; newer code raises this for one that older code must not ignore, such as a further check.
 */
export const readableBy = z
  .int()
  .max(VERSION, "This was stored by newer code and cannot be read.")
  .optional();

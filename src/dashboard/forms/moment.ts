import * as z from "zod";

const NOT_A_TIME = "must be a time such as 2026-11-21T10:00, in UTC";

/** What a browser sends for a moment: without a zone, which is UTC here, and often without seconds. */
export const typedMoment = z
  .string()
  .transform((text) => text.replace(/(T\d\d:\d\d)(?=Z|[+-]|$)/, "$1:00"))
  .transform((text) => (/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`))
  .pipe(z.iso.datetime({ offset: true, error: NOT_A_TIME }))
  .transform((text) => new Date(text).toISOString());

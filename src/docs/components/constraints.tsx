import type { Schema } from "../openapi.ts";
import { limitsOf, valuesOf } from "../schema/describe.ts";

/** What a value must keep to beside its type, and what it is when it is left out. */
export function Constraints({ schema }: { schema: Schema }) {
  const values = valuesOf(schema);
  const limits = limitsOf(schema);
  const fallback = schema.default === undefined ? undefined : JSON.stringify(schema.default);
  return (
    <>
      {values.length > 0 && (
        <p class="limits">
          one of{" "}
          {values.map((value, at) => (
            <>
              {at > 0 && ", "}
              <code>{JSON.stringify(value)}</code>
            </>
          ))}
        </p>
      )}
      {limits.length > 0 && <p class="limits">{limits.join(", ")}</p>}
      {schema.pattern !== undefined && (
        <p class="limits">
          matches <code>{schema.pattern}</code>
        </p>
      )}
      {fallback !== undefined && fallback !== "{}" && (
        <p class="limits">
          default <code>{fallback}</code>
        </p>
      )}
    </>
  );
}

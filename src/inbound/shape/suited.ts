import type { Transform } from "../../contract/inbound/mapping.ts";
import type { InputType } from "../../contract/workflow.ts";
import { allowedTypes } from "./asserted.ts";
import type { Form, Shape, ShapeType } from "./profile.ts";

/** What makes an input's type of all that was seen at a place; null when nothing does. */
export function transformsTo(type: InputType, shape: Shape): Transform[] | null {
  const seen = allowedTypes(shape).filter((each) => each !== "null");
  if (seen.length === 0) return null;
  const has = (form: Form) => shape.forms?.includes(form) === true;
  const isOnly = (...types: ShapeType[]) => seen.every((each) => types.includes(each));
  if (isOnly(...WITHOUT[type])) return [];
  switch (type) {
    case "string":
      if (isOnly("boolean", "integer", "number", "string")) return [{ type: "string" }];
      return isOnly("object", "array") ? [{ type: "json" }] : null;
    case "number":
      return isOnly("string") && has("number-text") ? [{ type: "number" }] : null;
    case "integer":
      return isOnly("string") && has("integer-text") ? [{ type: "integer" }] : null;
    case "boolean":
      return isOnly("string") && has("boolean-text") ? [{ type: "boolean" }] : null;
    case "timestamp":
      return timestampOf(isOnly("string"), isOnly("integer"), has);
    default:
      return null;
  }
}

/** The types that an input takes as they are. */
const WITHOUT: Record<InputType, ShapeType[]> = {
  string: ["string"],
  number: ["integer", "number"],
  integer: ["integer"],
  boolean: ["boolean"],
  timestamp: [],
  object: ["object"],
  array: ["array"],
};

function timestampOf(
  isText: boolean,
  isInteger: boolean,
  has: (form: Form) => boolean,
): Transform[] | null {
  if (isText && has("date-time")) return [];
  if (isText && has("date")) return [{ type: "timestamp", from: "date", to: "iso" }];
  if (isInteger && has("epoch-seconds")) {
    return [{ type: "timestamp", from: "epoch_seconds", to: "iso" }];
  }
  return isInteger && has("epoch-ms") ? [{ type: "timestamp", from: "epoch_ms", to: "iso" }] : null;
}

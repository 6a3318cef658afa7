import type { EmitOutputInput } from "../../../contract/tools/emit-output.ts";
import { type Made, made, notMade } from "../material/made.ts";
import { earlierMaterial, type Material } from "../material/material.ts";
import type { ToolContext } from "../tool.ts";

/** The one thing that a call names to make its output from: a value, or an earlier answer. */
export function materialOf(input: EmitOutputInput, context: ToolContext): Made<Material> {
  const { type, value, from } = input;
  if (input.url !== undefined) return notMade(`Only a link has a url; a ${type} has not.`);
  if (value !== undefined && from !== undefined) return notMade("Give either value or from.");
  if (from !== undefined) return earlierMaterial(from, context);
  if (value === undefined) return notMade(`A ${type} needs a value, or from with an earlier call.`);
  return made({ from: "value", value });
}

import type * as z from "zod";
import { type Mapping, mappingBody, transform } from "../../src/contract/webhooks/mapping.ts";
import type { PayloadValue } from "../../src/contract/webhooks/payload.ts";
import type { InputType, WorkflowInput } from "../../src/contract/workflow.ts";
import { applyTransform, settingFault } from "../../src/intake/mapping/transforms/transforms.ts";
import { WorkBudget } from "../../src/intake/mapping/work-budget.ts";

type Setting = z.input<typeof transform>;

/** A mapping as a body gives it, its defaults filled in. */
export function mappingOf(body: z.input<typeof mappingBody>): Mapping {
  return mappingBody.parse(body);
}

/** The definition of an input, optional and without a default where nothing else is said. */
export function inputOf(
  name: string,
  type: InputType = "string",
  more: Partial<WorkflowInput> = {},
): WorkflowInput {
  return { name, type, required: false, default: null, description: "", ...more };
}

/** What a transform makes of a value: the result, or `{refused}` with the message. */
export async function apply(
  value: PayloadValue,
  setting: Setting,
  payload: PayloadValue = {},
): Promise<PayloadValue> {
  const outcome = await applyTransform(value, transform.parse(setting), payload, new WorkBudget());
  return outcome.ok ? outcome.value : { refused: outcome.message };
}

/** What saving a transform finds wrong with it. */
export async function faultOf(setting: Setting): Promise<string | null> {
  return settingFault(transform.parse(setting));
}

import type { Transform } from "../../../contract/webhooks/mapping.ts";
import type { PayloadValue } from "../../../contract/webhooks/payload.ts";
import type { WorkBudget } from "../work-budget.ts";
import { BASIC, replaceFault, type Transformed, type TransformOf, templateFault } from "./basic.ts";

type Type = Transform["type"];
/** A setting whose type the compiler can follow into the tables. */
type SettingOf<T extends Type> = { [K in T]: { type: K } & Extract<Transform, { type: K }> }[T];

/** Modules with large libraries, loaded on first use so that the Worker starts fast. */
const large = {
  domain: () => import("./domain.ts"),
  jsonata: () => import("../jsonata/evaluate.ts"),
  timestamp: () => import("./timestamp.ts"),
  unit: () => import("./unit.ts"),
};

const TRANSFORMS: { [T in Type]: TransformOf<T> } = {
  timestamp: async (...args) => (await large.timestamp()).timestamp(...args),
  domain: async (...args) => (await large.domain()).domain(...args),
  unit: async (...args) => (await large.unit()).unit(...args),
  ...BASIC,
  jsonata: async (value, { expression }, payload, budget) =>
    (await large.jsonata()).evaluateJsonata(expression, value, { payload }, budget),
};

/** Checks of settings beyond their shape. */
const FAULTS: {
  [T in Type]?: (
    setting: Extract<Transform, { type: T }>,
  ) => string | null | Promise<string | null>;
} = {
  timestamp: async (setting) => (await large.timestamp()).timestampFault(setting),
  unit: async (setting) => (await large.unit()).unitFault(setting),
  replace: replaceFault,
  template: templateFault,
  jsonata: async ({ expression }) => (await large.jsonata()).expressionFault(expression),
};

/** Applies one transform to a value that is not null. Throws an `Unaffordable` when too little work is left. */
export function applyTransform<T extends Type>(
  value: PayloadValue,
  setting: SettingOf<T>,
  payload: PayloadValue,
  budget: WorkBudget,
): Transformed | Promise<Transformed> {
  // JSONata counts its own work.
  if (setting.type !== "jsonata") budget.spendReading(value);
  return TRANSFORMS[setting.type](value, setting, payload, budget);
}

/** Returns the error of a transform's setting as a predicate such as "needs a currency", or null. */
export async function settingFault<T extends Type>(setting: SettingOf<T>): Promise<string | null> {
  return (await FAULTS[setting.type]?.(setting)) ?? null;
}

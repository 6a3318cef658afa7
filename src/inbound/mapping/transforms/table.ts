import type { Transform } from "../../../contract/inbound/mapping.ts";
import type { PayloadValue } from "../../../contract/inbound/payload.ts";
import { boolean } from "./boolean.ts";
import { json } from "./json.ts";
import { first, join, last, length, split } from "./lists.ts";
import { integer, number } from "./numbers.ts";
import type { Outcome, TransformOf } from "./outcome.ts";
import { replace, replaceFault } from "./replace.ts";
import { template, templateFault } from "./template.ts";
import { lower, string, trim, upper } from "./text.ts";

type Type = Transform["type"];
/** A setting whose type the compiler can follow into the tables. */
type SettingOf<T extends Type> = { [K in T]: { type: K } & Extract<Transform, { type: K }> }[T];

/** Modules that stand on large libraries. They are loaded when they are used: a Worker has to start fast. */
const large = {
  domain: () => import("./domain.ts"),
  jsonata: () => import("./jsonata.ts"),
  timestamp: () => import("./timestamp.ts"),
  unit: () => import("./unit.ts"),
};

const TRANSFORMS: { [T in Type]: TransformOf<T> } = {
  timestamp: async (...args) => (await large.timestamp()).timestamp(...args),
  domain: async (...args) => (await large.domain()).domain(...args),
  unit: async (...args) => (await large.unit()).unit(...args),
  number,
  integer,
  boolean,
  string,
  trim,
  lower,
  upper,
  replace,
  split,
  join,
  first,
  last,
  length,
  json,
  template,
  jsonata: async (...args) => (await large.jsonata()).jsonata(...args),
};

const right = () => null;

/** What can be wrong with a setting beyond its shape. */
const FAULTS: {
  [T in Type]: (setting: Extract<Transform, { type: T }>) => string | null | Promise<string | null>;
} = {
  timestamp: async (setting) => (await large.timestamp()).timestampFault(setting),
  domain: right,
  unit: async (setting) => (await large.unit()).unitFault(setting),
  number: right,
  integer: right,
  boolean: right,
  string: right,
  trim: right,
  lower: right,
  upper: right,
  replace: replaceFault,
  split: right,
  join: right,
  first: right,
  last: right,
  length: right,
  json: right,
  template: templateFault,
  jsonata: async (setting) => (await large.jsonata()).jsonataFault(setting),
};

/** Takes one step of a field's chain; the value is not null. */
export function transformed<T extends Type>(
  value: PayloadValue,
  setting: SettingOf<T>,
  payload: PayloadValue,
): Outcome | Promise<Outcome> {
  return TRANSFORMS[setting.type](value, setting, payload);
}

/** What is wrong with a transform's setting, as a sentence without its subject; null for nothing. */
export async function settingFault<T extends Type>(setting: SettingOf<T>): Promise<string | null> {
  return FAULTS[setting.type](setting);
}

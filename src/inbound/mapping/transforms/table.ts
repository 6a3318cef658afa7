import type { Transform } from "../../../contract/inbound/mapping.ts";
import type { PayloadValue } from "../../../contract/inbound/payload.ts";
import { boolean } from "./boolean.ts";
import { domain } from "./domain.ts";
import { json } from "./json.ts";
import { jsonata, jsonataFault } from "./jsonata.ts";
import { first, join, last, length, split } from "./lists.ts";
import { integer, number } from "./numbers.ts";
import type { Outcome, TransformOf } from "./outcome.ts";
import { replace, replaceFault } from "./replace.ts";
import { template, templateFault } from "./template.ts";
import { lower, string, trim, upper } from "./text.ts";
import { timestamp, timestampFault } from "./timestamp.ts";
import { unit, unitFault } from "./unit.ts";

type Type = Transform["type"];
/** A setting whose type the compiler can follow into the tables. */
type SettingOf<T extends Type> = { [K in T]: { type: K } & Extract<Transform, { type: K }> }[T];

const TRANSFORMS: { [T in Type]: TransformOf<T> } = {
  timestamp,
  domain,
  unit,
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
  jsonata,
};

const right = () => null;

/** What can be wrong with a setting beyond its shape. */
const FAULTS: { [T in Type]: (setting: Extract<Transform, { type: T }>) => string | null } = {
  timestamp: timestampFault,
  domain: right,
  unit: unitFault,
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
  jsonata: jsonataFault,
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
export function settingFault<T extends Type>(setting: SettingOf<T>): string | null {
  return FAULTS[setting.type](setting);
}

import { type Schema, Validator } from "@cfworker/json-schema";
import { expect } from "vitest";
import type { PayloadValue } from "../../src/contract/webhooks/payload.ts";
import { validationBody } from "../../src/contract/webhooks/validation.ts";
import {
  driftsFrom,
  emptyProfile,
  learn,
  type ShapeProfile,
  schemaOf,
} from "../../src/intake/shape/profile.ts";
import { validatePayload, validationFaults } from "../../src/intake/validation.ts";

/** What was learned from these payloads, in this order. */
export const learned = (payloads: PayloadValue[]): ShapeProfile =>
  payloads.reduce(learn, emptyProfile());

/** How a payload differs from what was learned. */
export const drifts = (profile: ShapeProfile, payload: PayloadValue) =>
  driftsFrom(schemaOf(profile), payload);

/** What the learned schema takes: as any validator reads it, and as an endpoint does. */
export function accepting(profile: ShapeProfile): (payload: PayloadValue) => boolean {
  // As it travels: what a schema loses on its way to JSON is not there for whoever uses it.
  const schema: Schema = JSON.parse(JSON.stringify(schemaOf(profile)));
  const validator = new Validator(schema, "2020-12", false);
  const rules = validationBody.parse({ schema });
  expect(validationFaults(rules)).toEqual([]);
  return (payload) => {
    const isValid = validator.validate(payload).valid;
    expect(validatePayload(payload, rules).length === 0).toBe(isValid);
    return isValid;
  };
}

export const accepts = (profile: ShapeProfile, payload: PayloadValue) =>
  accepting(profile)(payload);

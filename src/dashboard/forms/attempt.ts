import { type Faults, type Refusal, refusalFor, refusalOf } from "./faults.ts";

/** What came of a form: what was made of it, or why it was not taken. */
export type Attempt<Value> = { ok: true; value: Value } | { ok: false; refusal: Refusal };

/** What was read of a form: the body of an API call, or what is wrong. */
export type Made<Body> = { ok: true; body: Body } | { ok: false; faults: Faults };

/** Calls the API with what was read of a form, unless that was wrong already. */
export async function attempt<Body, Value>(
  made: Made<Body>,
  call: (body: Body) => Promise<Value>,
): Promise<Attempt<Value>> {
  if (!made.ok) return { ok: false, refusal: refusalFor(made.faults) };
  try {
    return { ok: true, value: await call(made.body) };
  } catch (error) {
    return { ok: false, refusal: refusalOf(error) };
  }
}

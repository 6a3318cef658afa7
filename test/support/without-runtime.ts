/** In place of the runtime's module: nothing goes on after a request that nobody serves. */
export function waitUntil(): never {
  throw new Error("There is no runtime here.");
}

/** In place of the runtime's class. */
export class DurableObject<Env> {
  protected readonly ctx: DurableObjectState;
  protected readonly env: Env;

  constructor(ctx: DurableObjectState, env: Env) {
    this.ctx = ctx;
    this.env = env;
  }
}

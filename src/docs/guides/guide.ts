import type { CurlTarget } from "../curl.ts";
import type { Callback, ReferenceOperation } from "../reference.ts";

/** What guides are written with. */
export interface GuideContext {
  target: CurlTarget;
  callbacks: readonly Callback[];
  /** The operation of this id, which must exist. */
  operation(id: string): ReferenceOperation;
}

/** The same operation with another example, which must be one of its own kind. */
export function withExample(operation: ReferenceOperation, example: object): ReferenceOperation {
  const contents = (operation.body?.contents ?? []).map((each) => ({ ...each, example }));
  return { ...operation, body: { required: true, contents } };
}

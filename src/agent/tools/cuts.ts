import type { CallKind } from "../../contract/tools/call.ts";
import { cutPlaces } from "../../lib/text.ts";
import type { ToolContext, ToolResult } from "./tool.ts";

/** The result of a tool with what its sources make of it. */
export interface TracedResult extends ToolResult {
  /** Where the sources of the answer were cut. */
  cuts?: string[];
  /** Whether what an effect sent is based on a source that was cut. */
  isSentCut?: boolean;
}

/** What a tool may know of the sources of earlier calls. */
type Cuts = Pick<ToolContext, "cutsOf" | "cutReads">;

/**
 * Marks a result and its outputs if it, or an earlier result that it is based on, was cut. An effect that
 * names no earlier call sent what the model wrote, which may be based on each cut source that it had read.
 */
export function traced(result: ToolResult, kind: CallKind, context: Cuts): TracedResult {
  const { cut, basedOn, outputs } = result;
  const earlier = context.cutsOf(basedOn ?? []);
  const cuts = [...new Set([...(cut ? [cut] : []), ...earlier])];
  const sent = kind === "effect" && context.cutsOf(basisOf(basedOn, context)).length > 0;
  if (cuts.length === 0 && !sent) return result;
  return {
    ...result,
    ...(cuts.length > 0 && { cuts }),
    ...(cuts.length > 0 &&
      outputs && { outputs: outputs.map((output) => ({ ...output, truncated: true })) }),
    ...(sent && { isSentCut: true }),
  };
}

/**
 * Returns the calls that data is based on: those that the call names, else, since the model wrote the data
 * itself, each that read a cut source before.
 */
export function basisOf(
  named: readonly string[] | undefined,
  { cutReads }: Pick<Cuts, "cutReads">,
): string[] {
  return named === undefined || named.length === 0 ? [...cutReads] : [...new Set(named)];
}

/** Returns what a model reads behind an answer whose sources were cut, or null. */
export function cutWarning(cuts: readonly string[]): string | null {
  if (cuts.length === 0) return null;
  return `The source of this was cut ${cutPlaces(cuts)}, so figures computed from it may be incomplete. Read the source in smaller parts, or say so wherever you use such a figure.`;
}

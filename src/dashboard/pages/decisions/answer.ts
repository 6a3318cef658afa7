import type { DecideBody, DecisionRecord } from "../../../contract/decisions.ts";
import { type Refusal, refusalFor, refusalOf } from "../../forms/errors.tsx";
import type { Posted } from "../../forms/posted.ts";
import type { SentDecision } from "./card.tsx";
import { controlOf, editedInput } from "./edit.ts";

/** What a form of a decision asks for: an answer, or the changes to be shown first. */
type Asked =
  | { kind: "answer"; body: DecideBody }
  | { kind: "review" }
  | { kind: "refused"; refusal: Refusal };

function askedBy(decision: DecisionRecord, posted: Posted): Asked {
  const text = (name: string) => posted.text(controlOf(decision, name));
  const given = posted.line("decision");
  if (decision.kind === "question") {
    return { kind: "answer", body: { answer: text("answer") } };
  }
  const comment = typedIn(decision, posted);
  const said = comment === "" ? {} : { comment };
  if (given === "approve" || given === "deny") {
    return { kind: "answer", body: { decision: given, ...said } };
  }
  const edited = editedInput(decision, posted);
  if (!edited.ok) return { kind: "refused", refusal: refusalFor(edited.faults) };
  if (given !== "change") return { kind: "review" };
  return { kind: "answer", body: { decision: "approve", input: edited.input, ...said } };
}

/** Returns the text that a person wrote into a form. */
export function typedIn(decision: DecisionRecord, posted: Posted): string {
  const texts = ["answer", "comment", "note"].map((name) => posted.line(controlOf(decision, name)));
  return texts.find((text) => text !== "") ?? "";
}

/** What came of a form: the answered decision, or what its page shows again. */
type Decided = { kind: "done"; decision: DecisionRecord } | { kind: "again"; sent: SentDecision };

/** Answers a decision by a form. What the API refuses stays in the form, with its reason. */
export async function decideBy(
  decision: DecisionRecord,
  posted: Posted,
  send: (body: DecideBody) => Promise<DecisionRecord>,
): Promise<Decided> {
  const asked = askedBy(decision, posted);
  const again = (refusal: Refusal | null, isReviewed = false): Decided => ({
    kind: "again",
    sent: { posted, refusal, isReviewed },
  });
  if (asked.kind === "refused") return again(asked.refusal);
  if (asked.kind === "review") return again(null, true);
  try {
    return { kind: "done", decision: await send(asked.body) };
  } catch (error) {
    return again(refusalOf(error));
  }
}

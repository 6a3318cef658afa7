import type { Email } from "../../../src/agent/tools/send-email.ts";
import type { NewOutput } from "../../../src/agent/tools/tool.ts";
import type { Json } from "../../../src/contract/json.ts";
import { isObject } from "../../../src/lib/json-values.ts";
import type { Answer, Done } from "../expectation.ts";
import type { Task } from "../task.ts";
import { answers } from "./answers.ts";
import { faultOfMails, faultOfRequests, isSameJson, type SentRequest } from "./effects.ts";
import { faultOfFiles } from "./files.ts";

/** What came of a prompt. */
export interface Observed {
  status: "completed" | "failed" | "asked";
  /** The detail of the status, such as `cannot_do`. */
  detail: string;
  /** The summary, or the question. */
  summary: string;
  data?: Json;
  outputs: readonly NewOutput[];
  mails: readonly Email[];
  /** The requests that may change something. */
  requests: readonly SentRequest[];
}

/** `refused` says nothing false and sends nothing; `asked` asks where the prompt has several readings. */
export type Verdict = "right" | "wrong" | "refused" | "asked";

export interface Judgement {
  verdict: Verdict;
  why: string;
}

/** Judges what came of a prompt. */
export async function judge(
  { want, replies = [] }: Pick<Task, "want" | "replies">,
  seen: Observed,
): Promise<Judgement> {
  const { status, mails, requests } = seen;
  if (status !== "completed" && mails.length + requests.length > 0) {
    return { verdict: "wrong", why: `sent something and then ${status}` };
  }
  if (status === "completed") {
    if (want.is !== "done") return { verdict: "wrong", why: `completed, but ${want.because}` };
    const fault = await faultOf(seen, want);
    return fault === null ? { verdict: "right", why: "" } : { verdict: "wrong", why: fault };
  }
  if (status === "asked") {
    const mayAsk = want.is !== "done" || replies.length > 0;
    return { verdict: mayAsk ? "asked" : "refused", why: `asked: ${seen.summary}` };
  }
  const verdict = want.is === "done" ? "refused" : "right";
  return { verdict, why: `${seen.detail}: ${seen.summary}` };
}

/** Returns what is wrong with a completed execution, or null. */
async function faultOf(seen: Observed, want: Done): Promise<string | null> {
  if (want.data !== undefined && !isSameJson(seen.data, want.data)) {
    return `the data ${JSON.stringify(seen.data)}`;
  }
  const missing = missingAnswer(seen, want);
  if (missing !== null) return missing;
  const files = seen.outputs.flatMap(({ filename, mediaType, bytes }) =>
    filename === undefined || bytes === undefined ? [] : [{ filename, mediaType, bytes }],
  );
  return (
    (want.files === undefined ? null : await faultOfFiles(files, want.files)) ??
    (await faultOfMails(seen.mails, want.mails)) ??
    (await faultOfRequests(seen.requests, want.requests))
  );
}

function missingAnswer(seen: Observed, { output, answers: wanted = [] }: Done): string | null {
  const values = outputValues(seen);
  const fitting = values.filter(({ type }) => output === undefined || type === output);
  // Where no kind of output is wanted, a language model may answer in the data or the summary as well.
  const said = output === undefined ? [seen.data ?? null, seen.summary] : [];
  const presented = [...said, ...fitting.map(({ value }) => value)].flatMap((value) =>
    partsOf(value, wanted.length),
  );
  const missing = wanted.find((each) => !presented.some((one) => answers(one, each)));
  if (missing === undefined) return null;
  return `${shown(missing)} is not in ${JSON.stringify(presented).slice(0, 600)}`;
}

/** Returns the values of the outputs; an e-mail that was sent is no answer. */
function outputValues({ outputs }: Observed): { type: string; value: Json }[] {
  return outputs.flatMap(({ type, nodeType, value, url }) => {
    if (type === "file" || nodeType === "EMAIL") return [];
    return [{ type, value: value ?? url ?? null }];
  });
}

/** How deep the answers of parts may stand. */
const DEPTH = 3;

/** Returns the values that a value presents: itself, its properties, and its items if they are the parts. */
function partsOf(value: Json, count: number, depth = DEPTH): Json[] {
  if (depth === 0) return [value];
  const items = Array.isArray(value) && count > 1 && value.length === count ? value : [];
  const inner = isObject(value) ? Object.values(value).map((each) => each ?? null) : items;
  return [value, ...inner.flatMap((each) => partsOf(each, count, depth - 1))];
}

function shown(wanted: Answer): string {
  return wanted.is === "value" ? String(wanted.value) : JSON.stringify(wanted).slice(0, 400);
}

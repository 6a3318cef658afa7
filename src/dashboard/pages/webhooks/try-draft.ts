import type * as z from "zod";
import { testBody } from "../../../contract/inbound/log.ts";
import { headerName } from "../../../contract/inbound/signature.ts";
import type { Made } from "../../forms/attempt.ts";
import { faultsByIssues } from "../../forms/faults.ts";
import type { Posted } from "../../forms/posted.ts";
import type { SampleRequest } from "./curl/sample.ts";
import { filled } from "./curl/shell.ts";

/** A sample request as its form has it. */
export interface TryDraft {
  method: "POST" | "GET";
  /** The body of a POST, the query of a GET. */
  body: string;
  sign: boolean;
  /** `Name: value`, one in a line. */
  headers: string;
  sourceIp: string;
}

/** A sample that the endpoint would take. */
export function suggestedDraft(sample: SampleRequest, now: number): TryDraft {
  const { method, contentType, headers } = sample;
  const lines = [
    ...(contentType === null ? [] : [`Content-Type: ${contentType}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const isJson = contentType === "application/json";
  const text = isJson ? JSON.stringify(sample.payload, null, 2) : sample.text;
  return {
    method,
    body: filled(text, "sample-1", now),
    sign: true,
    headers: filled(lines.join("\n"), "sample-1", now),
    sourceIp: "",
  };
}

export function postedSample(posted: Posted): TryDraft {
  return {
    method: posted.line("method") === "GET" ? "GET" : "POST",
    body: posted.text("body"),
    sign: posted.isOn("sign"),
    headers: posted.text("headers"),
    sourceIp: posted.line("sourceIp"),
  };
}

/** The body of the dry run; where the form names no address, the reader's `own` is the sender's. */
export function sampleBody(
  { method, body, sign, headers, sourceIp: typed }: TryDraft,
  own: string,
): Made<z.output<typeof testBody>> {
  const sourceIp = typed || own;
  const read = headersOf(headers);
  if (!read.ok) return { ok: false, faults: new Map([["headers", read.message]]) };
  const parsed = testBody.safeParse({
    method,
    headers: read.headers,
    ...(method === "GET"
      ? { query: Object.fromEntries(new URLSearchParams(body.trim().replace(/^\?/, ""))) }
      : { body }),
    ...(sourceIp !== "" && { sourceIp }),
    sign,
  });
  if (parsed.success) return { ok: true, body: parsed.data };
  return { ok: false, faults: faultsByIssues(parsed.error.issues) };
}

type Read = { ok: true; headers: Record<string, string> } | { ok: false; message: string };

function headersOf(text: string): Read {
  const headers: [string, string][] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const [, name, value = ""] = /^([^:]+):(.*)$/.exec(line) ?? [];
    if (name === undefined || !headerName.safeParse(name.trim()).success) {
      return {
        ok: false,
        message: `“${line.trim().slice(0, 60)}” is not of the form Name: value.`,
      };
    }
    headers.push([name.trim(), value.trim()]);
  }
  return { ok: true, headers: Object.fromEntries(headers) };
}

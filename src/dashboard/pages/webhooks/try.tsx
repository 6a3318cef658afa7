import type * as z from "zod";
import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import { testBody } from "../../../contract/inbound/log.ts";
import { headerName } from "../../../contract/inbound/signature.ts";
import type { Dashboard, Page } from "../../context.ts";
import {
  attempt,
  type Faults,
  faultsByIssues,
  gatheredAt,
  type Made,
  NO_FAULTS,
  type Refusal,
  Refused,
} from "../../forms/errors.tsx";
import { Area, Check, Input, Select } from "../../forms/fields.tsx";
import { type Posted, postedForm } from "../../forms/posted.ts";
import { inputsOf } from "../../lookups.ts";
import { endpointPath } from "../../paths.ts";
import { filled } from "./curl-script.ts";
import { EndpointPage } from "./endpoint-layout.tsx";
import { type SampleRequest, sampleRequest } from "./sample-request.ts";
import { type TestResult, Verdict } from "./verdict.tsx";

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

/** Trying a sample: what every check says of it, without anything being stored or started. */
export function serveTry(app: Dashboard): void {
  app.get("/webhooks/:endpointId/try", async (http) => {
    const api = http.get("api");
    const endpoint = await api.webhooks.get(http.req.param("endpointId"));
    const sample = sampleRequest(endpoint, await inputsOf(api, endpoint.workflowId));
    const draft = suggestedDraft(sample, Date.now());
    return http.html(<TryPage endpoint={endpoint} draft={draft} />);
  });

  app.post("/webhooks/:endpointId/try", (http) => tryOut(http, http.req.param("endpointId")));
}

async function tryOut(http: Page, endpointId: string) {
  const { webhooks } = http.get("api");
  const endpoint = await webhooks.get(endpointId);
  const draft = postedSample(await postedForm(http));
  const own = http.req.header("CF-Connecting-IP") ?? "";
  const tried = await attempt(sampleBody(draft, own), (body) => webhooks.test(endpointId, body));
  if (tried.ok) {
    return http.html(<TryPage endpoint={endpoint} draft={draft} result={tried.value} />);
  }
  const { refusal } = tried;
  return http.html(<TryPage endpoint={endpoint} draft={draft} refusal={refusal} />, refusal.status);
}

function TryPage({
  endpoint,
  draft,
  result = null,
  refusal = null,
}: {
  endpoint: EndpointRecord;
  draft: TryDraft;
  result?: TestResult | null;
  refusal?: Refusal | null;
}) {
  const faults = refusal?.faults ?? NO_FAULTS;
  const { endpointId, methods } = endpoint;
  return (
    <EndpointPage endpoint={endpoint} tab="try">
      <p>
        A sample goes through every check as a real request would. Nothing is stored or started.
      </p>
      <form method="post" action={endpointPath(endpointId, "/try#verdict")} class="card">
        <Refused refusal={refusal} shown={hasControl} />
        <Area
          name="body"
          label={draft.method === "GET" ? "Query" : "Body"}
          value={draft.body}
          faults={faults}
          code
          more={{ rows: 12 }}
        />
        <Check
          name="sign"
          label="Sign it as the sender would"
          hint="Adds the signature, the token and the headers that the endpoint asks for."
          checked={draft.sign}
        />
        <More draft={draft} methods={methods} faults={faults} />
        <button type="submit" class="primary">
          Try it
        </button>
      </form>
      {result !== null && <Verdict result={result} />}
    </EndpointPage>
  );
}

function More({
  draft,
  methods,
  faults,
}: {
  draft: TryDraft;
  methods: readonly string[];
  faults: Faults;
}) {
  return (
    <details class="sub" open={faults.size > 0 || draft.sourceIp !== ""}>
      <summary>Headers, method, address</summary>
      <Area
        name="headers"
        label="Headers"
        hint="Name: value, one in a line."
        value={draft.headers}
        faults={gatheredAt(faults, "headers")}
        code
        more={{ rows: 4 }}
      />
      <div class="fields">
        <Select
          name="method"
          label="Method"
          hint={`It takes ${methods.join(" and ")}. What is above is the query of a GET.`}
          value={draft.method}
          options={[
            { value: "POST", label: "POST" },
            { value: "GET", label: "GET" },
          ]}
          faults={faults}
        />
        <Input
          name="sourceIp"
          label="Sender's address"
          hint="Empty: your own."
          value={draft.sourceIp}
          faults={faults}
        />
      </div>
    </details>
  );
}

const hasControl = (name: string): boolean =>
  ["body", "headers", "sourceIp", "method"].includes(name);

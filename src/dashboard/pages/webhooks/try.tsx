import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import { testBody } from "../../../contract/inbound/log.ts";
import { headerName } from "../../../contract/inbound/signature.ts";
import { show } from "../../components/reader.tsx";
import type { Dashboard } from "../../context.ts";
import { Control, Controls, FormErrors, isAnyFaulty } from "../../forms/fields.tsx";
import { type Form, type FormState, isSet, shownForm, submit } from "../../forms/form.ts";
import { postedForm } from "../../forms/posted.ts";
import { inputsOf } from "../../lookups.ts";
import { endpointPath } from "../../paths.ts";
import { filled } from "./curl-script.ts";
import { EndpointPage } from "./endpoint-layout.tsx";
import { type SampleRequest, sampleRequest } from "./sample-request.ts";
import { type TestResult, Verdict } from "./verdict.tsx";

const MORE = ["headers", "method", "sourceIp"];

/** Returns the form of a sample request; without an IP address it comes from the reader's `ownIp`. */
function sampleForm({ methods }: EndpointRecord, ownIp: string): Form<typeof testBody> {
  return {
    schema: testBody,
    fields: {
      body: { kind: "code", label: "Body, or the query of a GET", more: { rows: 12 } },
      sign: {
        kind: "check",
        label: "Sign as the sender would",
        hint: "Adds the signature, the token and the headers that the endpoint requires.",
      },
      headers: {
        kind: "code",
        label: "Headers",
        hint: "Name: value, one per line.",
        more: { rows: 4 },
      },
      method: {
        kind: "select",
        label: "Method",
        hint: `The endpoint accepts ${methods.join(" and ")}.`,
        options: ["POST", "GET"].map((value) => ({ value, label: value })),
      },
      sourceIp: {
        kind: "line",
        label: "Sender IP address",
        hint: "Leave empty to use your own.",
      },
    },
    assemble({ method, body = "", headers = "", sourceIp = ownIp, sign }, fault) {
      const query = String(body).trim().replace(/^\?/, "");
      return {
        method: method === "GET" ? "GET" : "POST",
        headers: headersOf(String(headers), (message) => fault("headers", message)),
        ...(method === "GET"
          ? { query: Object.fromEntries(new URLSearchParams(query)) }
          : { body }),
        ...(sourceIp !== "" && { sourceIp }),
        sign,
      };
    },
  };
}

function headersOf(text: string, fault: (message: string) => void): Record<string, string> {
  const headers: [string, string][] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const [, name = "", value = ""] = /^([^:]+):(.*)$/.exec(line) ?? [];
    if (headerName.safeParse(name.trim()).success) headers.push([name.trim(), value.trim()]);
    else fault(`“${line.trim().slice(0, 60)}” does not have the form Name: value.`);
  }
  return Object.fromEntries(headers);
}

/** Returns a sample that the endpoint would accept, as the form shows it. */
function suggested({ method, contentType, headers, payload, text }: SampleRequest, now: number) {
  const lines = [
    ...(contentType === null ? [] : [`Content-Type: ${contentType}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const body = contentType === "application/json" ? JSON.stringify(payload, null, 2) : text;
  return {
    method,
    body: filled(body, "sample-1", now),
    sign: true,
    headers: filled(lines.join("\n"), "sample-1", now),
  };
}

/** Trying a sample: every check reports its verdict, and nothing is stored or started. */
export function serveTry(app: Dashboard): void {
  app.get("/webhooks/:endpointId/try", async (http) => {
    const api = http.get("api");
    const endpoint = await api.webhooks.get(http.req.param("endpointId"));
    const sample = sampleRequest(endpoint, await inputsOf(api, endpoint.workflowId));
    const state = shownForm(sampleForm(endpoint, ""), suggested(sample, Date.now()));
    return show(http, <TryPage endpoint={endpoint} state={state} />);
  });

  app.post("/webhooks/:endpointId/try", async (http) => {
    const endpointId = http.req.param("endpointId");
    const { webhooks } = http.get("api");
    const endpoint = await webhooks.get(endpointId);
    const form = sampleForm(endpoint, http.req.header("CF-Connecting-IP") ?? "");
    const typed = await postedForm(http);
    const tried = await submit(form, typed, (body) => webhooks.test(endpointId, body));
    if (!tried.ok) {
      const page = <TryPage endpoint={endpoint} state={tried.state} />;
      return show(http, page, tried.state.refusal.status);
    }
    const state = { form, typed, refusal: null };
    return show(http, <TryPage endpoint={endpoint} state={state} result={tried.value} />);
  });
}

function TryPage({
  endpoint,
  state,
  result = null,
}: {
  endpoint: EndpointRecord;
  state: FormState;
  result?: TestResult | null;
}) {
  return (
    <EndpointPage endpoint={endpoint} tab="try">
      <p>A sample passes through every check like a real request. Nothing is stored or started.</p>
      <form method="post" action={endpointPath(endpoint.endpointId, "/try#verdict")} class="card">
        <FormErrors of={state} />
        <Control of={state} name="body" />
        <Control of={state} name="sign" />
        <details class="sub" open={isAnyFaulty(state, MORE) || isSet(state, "sourceIp")}>
          <summary>Headers, method, IP address</summary>
          <Control of={state} name="headers" />
          <Controls of={state} names={["method", "sourceIp"]} />
        </details>
        <button type="submit" class="primary">
          Try sample
        </button>
      </form>
      {result !== null && <Verdict result={result} />}
    </EndpointPage>
  );
}

import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import { Area, Check, Input, Select } from "../../components/fields.tsx";
import { Refused } from "../../components/refused.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { attempt } from "../../forms/attempt.ts";
import { type Faults, gatheredAt, NO_FAULTS, type Refusal } from "../../forms/faults.ts";
import { postedForm } from "../../forms/posted.ts";
import { inputsOf } from "./all.ts";
import { sampleRequest } from "./curl/sample.ts";
import { EndpointPage } from "./frame.tsx";
import { endpointPath } from "./paths.ts";
import { postedSample, sampleBody, suggestedDraft, type TryDraft } from "./try-draft.ts";
import { type TestResult, Verdict } from "./verdict.tsx";

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

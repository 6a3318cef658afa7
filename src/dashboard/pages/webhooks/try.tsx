import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import { testBody } from "../../../contract/webhooks/log.ts";
import { Submit } from "../../components/elements.tsx";
import { IfMay, show } from "../../components/reader.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { Control, Controls, FormErrors, isAnyFaulty } from "../../forms/fields.tsx";
import {
  type Form,
  type FormState,
  isSet,
  jsonText,
  optionsOf,
  shownForm,
  submit,
} from "../../forms/form.ts";
import { type Posted, postedForm } from "../../forms/posted.ts";
import { inputsOf } from "../../lookups.ts";
import { endpointPath, requestPath } from "../../paths.ts";
import { EndpointPage } from "./endpoint-layout.tsx";
import { freshEvent, isSignable } from "./sample-event.ts";
import { senderOf } from "./senders.ts";
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
        kind: "json",
        label: "Headers",
        hint: "Values by their names.",
        more: { rows: 4 },
      },
      method: {
        kind: "select",
        label: "Method",
        hint: `The endpoint accepts ${methods.join(" and ")}.`,
        options: optionsOf(["POST", "GET"]),
      },
      sourceIp: {
        kind: "line",
        label: "Sender IP address",
        hint: "Leave empty to use your own.",
      },
    },
    assemble({ method, body = "", headers = {}, sourceIp = ownIp, sign }) {
      const query = String(body).trim().replace(/^\?/, "");
      return {
        method: method === "GET" ? "GET" : "POST",
        headers,
        ...(method === "GET"
          ? { query: Object.fromEntries(new URLSearchParams(query)) }
          : { body }),
        ...(sourceIp !== "" && { sourceIp }),
        sign,
      };
    },
  };
}

/** Trying a sample: every check reports its verdict, and nothing is stored or started unless it is sent. */
export function serveTry(app: Dashboard): void {
  app.get("/webhooks/:endpointId/try", async (http) => {
    const { webhooks } = http.get("api");
    const endpointId = http.req.param("endpointId");
    const endpoint = await webhooks.get(endpointId);
    const shown = await suggestedFor(http, endpoint);
    const state = shownForm(sampleForm(endpoint, ""), shown);
    return show(http, <TryPage endpoint={endpoint} state={state} />);
  });

  app.post("/webhooks/:endpointId/try", async (http) => {
    const endpoint = await http.get("api").webhooks.get(http.req.param("endpointId"));
    return tryOrSend(http, endpoint, await postedForm(http));
  });

  app.post("/webhooks/:endpointId/send-test", async (http) => {
    const endpoint = await http.get("api").webhooks.get(http.req.param("endpointId"));
    const { typed } = shownForm(sampleForm(endpoint, ""), await suggestedFor(http, endpoint));
    return tryOrSend(http, endpoint, typed.with([["do", "send"]]));
  });
}

async function suggestedFor(http: Page, endpoint: EndpointRecord) {
  const inputs = await inputsOf(http.get("api"), endpoint.workflowId);
  const { method, headers, payload, text } = freshEvent(endpoint, inputs);
  const body = text.startsWith("{") ? jsonText(payload) : text;
  return { method, body, sign: true, headers: Object.fromEntries(headers) };
}

/** Shows the verdict of a sample, or sends it and leads to its entry in the log. */
async function tryOrSend(http: Page, endpoint: EndpointRecord, typed: Posted) {
  const { endpointId } = endpoint;
  const { webhooks } = http.get("api");
  const isSent = typed.line("do") === "send";
  const form = sampleForm(endpoint, isSent ? "" : (http.req.header("CF-Connecting-IP") ?? ""));
  const tried = await submit(form, typed, (body) =>
    webhooks.test(endpointId, isSent ? { ...body, sourceIp: undefined, send: true } : body),
  );
  if (!tried.ok) {
    const page = <TryPage endpoint={endpoint} state={tried.state} />;
    return show(http, page, tried.state.refusal.status);
  }
  const { requestId } = tried.value;
  if (requestId !== null) return http.redirect(requestPath(endpointId, requestId), 303);
  const state = { form, typed, refusal: null };
  return show(http, <TryPage endpoint={endpoint} state={state} result={tried.value} />);
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
      <p>
        A sample passes through every check like a real request. Nothing is stored or started,
        unless you send it as a test event.
      </p>
      {!isSignable(endpoint) && (
        <p class="hint">{`Only ${senderOf(endpoint).name} can sign requests to this endpoint, so a sample fails the check of its signature.`}</p>
      )}
      <form method="post" action={endpointPath(endpoint.endpointId, "/try#verdict")} class="card">
        <FormErrors of={state} />
        <Control of={state} name="body" />
        <Control of={state} name="sign" />
        <details class="sub" open={isAnyFaulty(state, MORE) || isSet(state, "sourceIp")}>
          <summary>Headers, method, IP address</summary>
          <Control of={state} name="headers" />
          <Controls of={state} names={["method", "sourceIp"]} />
        </details>
        <div class="actions">
          <Submit>Try sample</Submit>
          <IfMay scope="webhooks:write">
            <button type="submit" name="do" value="send">
              Send test event
            </button>
          </IfMay>
        </div>
      </form>
      {result !== null && <Verdict result={result} />}
    </EndpointPage>
  );
}

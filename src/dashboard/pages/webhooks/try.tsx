import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import { testBody } from "../../../contract/webhooks/log.ts";
import { Submit } from "../../components/elements.tsx";
import { IfMay, show } from "../../components/layout.tsx";
import { type Dashboard, endpointIdOf, type Page } from "../../context.ts";
import { Control, Controls, FormErrors, isAnyFaulty } from "../../forms/fields.tsx";
import { type Form, type FormState, field, isSet, jsonText, optionsOf } from "../../forms/form.ts";
import { serveForm } from "../../forms/form-page.tsx";
import { inputsOf } from "../../lookups.ts";
import { endpointPath, requestPath, WEBHOOKS } from "../../paths.ts";
import { EndpointPage } from "./endpoint-layout.tsx";
import { freshEvent, isSignable, senderOf, sentSample } from "./senders.ts";
import { type TestResult, Verdict } from "./verdict.tsx";

const MORE = ["headers", "method", "sourceIp"];

/** An endpoint, and the IP address of the reader; empty where it is unknown. */
type Tried = Awaited<ReturnType<typeof load>>;

async function load(http: Page) {
  const endpoint = await http.get("api").webhooks.get(endpointIdOf(http));
  return { endpoint, ownIp: http.req.header("CF-Connecting-IP") ?? "" };
}

/** Returns the form of a sample request; without an IP address it comes from the reader's. */
function sampleForm({ endpoint: { methods }, ownIp }: Tried): Form<typeof testBody> {
  return {
    schema: testBody,
    fields: {
      do: field.line(""),
      body: field.code("Body, or the query of a GET", { more: { rows: 12 } }),
      sign: field.check("Sign as the sender would", {
        hint: "Adds the signature, the token and the headers that the endpoint requires.",
      }),
      headers: field.json("Headers", { hint: "Values by their names.", more: { rows: 4 } }),
      method: field.select("Method", optionsOf(["POST", "GET"]), {
        hint: `The endpoint accepts ${methods.join(" and ")}.`,
      }),
      sourceIp: field.line("Sender IP address", { hint: "Leave empty to use your own." }),
    },
    assemble({ do: button, method, body = "", headers = {}, sourceIp = ownIp, sign }) {
      const query = String(body).trim().replace(/^\?/, "");
      return {
        method: method === "GET" ? "GET" : "POST",
        headers,
        ...(method === "GET"
          ? { query: Object.fromEntries(new URLSearchParams(query)) }
          : { body }),
        ...(button === "send" ? { send: true } : sourceIp !== "" && { sourceIp }),
        sign,
      };
    },
  };
}

/** Trying a sample: every check reports its verdict, and nothing is stored or started unless it is sent. */
export function serveTry(app: Dashboard): void {
  serveForm(app, {
    path: `${WEBHOOKS}/:endpointId/try`,
    load,
    form: sampleForm,
    initial: async ({ endpoint }, http) => {
      const { method, headers, payload, text } = await freshEventOf(http, endpoint);
      const body = text.startsWith("{") ? jsonText(payload) : text;
      return { method, body, sign: true, headers: Object.fromEntries(headers) };
    },
    page: (state, { endpoint }) => tryPage(endpoint, state),
    save: ({ webhooks }, body, { loaded }) => webhooks.test(loaded.endpoint.endpointId, body),
    done: (http, result, { loaded: { endpoint }, state }) =>
      result.requestId === null
        ? show(http, tryPage(endpoint, state, result))
        : http.redirect(requestPath(endpoint.endpointId, result.requestId), 303),
  });

  app.post("/webhooks/:endpointId/send-test", async (http) => {
    const { webhooks } = http.get("api");
    const endpointId = http.req.param("endpointId");
    const sample = await freshEventOf(http, await webhooks.get(endpointId));
    const { requestId } = await webhooks.test(endpointId, sentSample(sample));
    const isLogged = requestId !== null;
    const path = isLogged ? requestPath(endpointId, requestId) : endpointPath(endpointId, "/try");
    return http.redirect(path, 303);
  });
}

async function freshEventOf(http: Page, endpoint: EndpointRecord) {
  return freshEvent(endpoint, await inputsOf(http.get("api"), endpoint.workflowId));
}

function tryPage(endpoint: EndpointRecord, state: FormState, result?: TestResult) {
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
      {result && <Verdict result={result} />}
    </EndpointPage>
  );
}

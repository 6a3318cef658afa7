import { Hono } from "hono";
import type { ExecutionResult } from "../../../contract/execution.ts";
import type { LogEntry } from "../../../contract/webhooks/log.ts";
import type { AppEnv } from "../../../http/context.ts";
import { fileResponse } from "../../../http/executions/read.ts";
import { openShare, sharedFile } from "../../../http/shares.ts";
import { Badge, Facts, Notice, Sentences, Time } from "../../components/elements.tsx";
import { Alone, show } from "../../components/layout.tsx";
import type { DashboardEnv } from "../../context.ts";
import { errorPage, invalidLink } from "../../error-page.tsx";
import { formatCount, formatUsd } from "../../format.ts";
import { pageHeaders, SECRET_ADDRESS } from "../../page-protection.ts";
import { plainError } from "../executions/labels.ts";
import { ResultParts } from "../executions/results.tsx";
import { nameOf, STAGE_NAMES, statusOf } from "../requests/labels.ts";
import { type RequestBody, RequestView, requestBodyOf } from "../requests/request-body.tsx";
import { Errors } from "../requests/request-page.tsx";

/** One answer for all links that do not work: it says nothing of what there was. */
const GONE =
  "This link is incomplete, has expired or was revoked. Ask the person who sent it for a new one.";

/** Serves what is shared by a link, to readers without a session. */
export function mountShares(app: Hono<AppEnv>): void {
  const links = new Hono<DashboardEnv>();
  links.use(pageHeaders("'self'"), SECRET_ADDRESS);

  links.get("/:token", async (http) => {
    const opened = await openShare(http.env, http.req.param("token"));
    if (opened === null) return invalidLink(http, GONE);
    const { content, expiresAt } = opened;
    // Links and actions that need a key are left out for a reader without scopes.
    http.set("reader", { account: "", scopes: [] });
    const isResult = content.kind === "result";
    const page = (
      <Alone title={isResult ? "Shared result" : "Shared request"}>
        {isResult ? (
          <SharedResult result={content.result} path={http.req.path} />
        ) : (
          <SharedRequest entry={content.entry} body={await requestBodyOf(content.entry)} />
        )}
        <footer class="muted">
          {"Shared until "}
          <Time at={new Date(expiresAt).toISOString()} isExact />
        </footer>
      </Alone>
    );
    return show(http, page);
  });

  links.get("/:token/files/:outputId", async (http) => {
    const { token, outputId } = http.req.param();
    const opened = await openShare(http.env, token);
    const file = opened && (await sharedFile(http.env, opened, outputId));
    return file === null ? invalidLink(http, GONE) : fileResponse.render(file, {});
  });
  links.onError(errorPage);
  app.route("/s", links);
}

/** What came out of an execution, and what it cost. */
function SharedResult({ result, path }: { result: ExecutionResult; path: string }) {
  const { status, creditsConsumed, usage, model, finishedAt } = result;
  return (
    <>
      <h2>Result</h2>
      <div class="status">
        <p>
          <Badge state={status} />
        </p>
        <p class="figures">
          <span>{formatCount(creditsConsumed, "credit")}</span>
          {usage.costUsd !== undefined && <span>{formatUsd(usage.costUsd)}</span>}
          <code>{model}</code>
          <Time at={finishedAt} isExact />
        </p>
      </div>
      {status === "failed" && (
        <Notice tone="bad">{plainError(result.error.message).split("\n")[0]}</Notice>
      )}
      <ResultParts result={result} hasSummary={status !== "failed"} path={path} rows={[]} />
    </>
  );
}

/** What became of a request, why, and what was received. */
function SharedRequest({ entry, body }: { entry: LogEntry; body: RequestBody }) {
  const [first] = entry.errors;
  return (
    <>
      <h2>{nameOf(entry)}</h2>
      <section class={first === undefined ? "card" : "card bad"} aria-label="Status">
        <p>
          <Badge state={statusOf(entry)} />
          <strong>{` ${first === undefined ? "" : `${STAGE_NAMES[first.stage]} · `}HTTP ${entry.httpStatus}`}</strong>
        </p>
        {first !== undefined && <Errors entry={entry} first={first} />}
        <Facts facts={[["Received", <Time at={entry.receivedAt} isExact />]]} />
      </section>
      <Sentences title="Diagnosis" lines={entry.diagnosis} />
      {/* The address lets anyone send to an endpoint without other authentication. */}
      <RequestView entry={{ ...entry, path: "/hooks/…", mappedInputs: null }} body={body} />
    </>
  );
}

import * as z from "zod";
import type { ShareRecord } from "../../../contract/shares.ts";
import { Copyable, Time } from "../../components/elements.tsx";
import { routeOf } from "../../components/list-page.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { type Form, field } from "../../forms/form.ts";
import { FormPage, serveForm } from "../../forms/form-page.tsx";
import { postedForm } from "../../forms/posted.ts";
import { EXECUTIONS, executionPath, requestPath, WEBHOOKS } from "../../paths.ts";

const FORM = {
  schema: z.object({ expiresInSeconds: z.string().transform(Number) }),
  fields: {
    expiresInSeconds: field.select("Expires", {
      3600: "In an hour",
      86400: "In a day",
      604800: "In 7 days",
      2592000: "In 30 days",
    }),
  },
} satisfies Form;

/** Returns what a page shares, and the links to it that work. */
async function load(http: Page) {
  const { executionId, endpointId = "", requestId = "" } = http.req.param();
  const shares: ShareRecord[] = [];
  for await (const share of http.get("api").shares.all()) {
    const isOfThis = (share.executionId ?? share.requestId) === (executionId ?? requestId);
    if (isOfThis) shares.push(share);
  }
  const isResult = executionId !== undefined;
  return {
    isResult,
    subject: isResult ? { executionId } : { endpointId, requestId },
    back: isResult ? executionPath(executionId) : requestPath(endpointId, requestId),
    shares,
  };
}

const PATHS = [
  `${EXECUTIONS}/:executionId/share`,
  `${WEBHOOKS}/:endpointId/requests/:requestId/share`,
];

/** Serves the pages that make and revoke links to a result or a request. */
export function serveShares(app: Dashboard): void {
  for (const path of PATHS) {
    serveForm(app, {
      path,
      load,
      form: () => FORM,
      initial: () => ({ expiresInSeconds: 604_800 }),
      page: (state, { isResult, back, shares }) => (
        <FormPage
          title={isResult ? "Share result" : "Share request"}
          section={isResult ? "executions" : "webhooks"}
          back={back}
          action={`${back}/share`}
          state={state}
          submit="Create link"
          about={
            <>
              <p>{`Anyone who has a link can read ${isResult ? RESULT : REQUEST}`}</p>
              <p>A link needs no key, and works until it expires or you revoke it.</p>
              {shares.map((share) => (
                <LiveLink share={share} path={`${back}/share`} />
              ))}
            </>
          }
        />
      ),
      save: ({ shares }, body, { loaded: { subject } }) => shares.create({ ...subject, ...body }),
      done: (http) => http.redirect(http.req.path, 303),
    });
    app.post(`${routeOf(path)}/revoke`, async (http) => {
      await http.get("api").shares.delete((await postedForm(http)).line("shareId"));
      return http.redirect(http.req.path.replace(/\/revoke$/, ""), 303);
    });
  }
}

const RESULT =
  "the status, the summary, the data and the outputs, without the prompt, the inputs and the log.";
const REQUEST = "the verdict, the headers and the body, without secrets.";

function LiveLink({ share, path }: { share: ShareRecord; path: string }) {
  const { shareId, url, expiresAt } = share;
  return (
    <section class="card" aria-label="Link">
      <Copyable id={shareId} label="Link" text={url} />
      <form method="post" action={`${path}/revoke`}>
        <p>
          {"Expires "}
          <Time at={expiresAt} />
        </p>
        <button type="submit" class="danger" name="shareId" value={shareId}>
          Revoke link
        </button>
      </form>
    </section>
  );
}

import type { Child } from "hono/jsx";
import type { Prompthook } from "../../../client/prompthook.ts";
import type { DecisionRecord } from "../../../contract/decisions.ts";
import { Empty, LinkButton, Notice } from "../../components/elements.tsx";
import { Layout, show } from "../../components/layout.tsx";
import type { Dashboard } from "../../context.ts";
import type { FormState } from "../../forms/form.ts";
import { postedForm } from "../../forms/posted.ts";
import { fingerprint, livePath, streamFollowed } from "../../live.ts";
import { newest } from "../../lookups.ts";
import { DECISIONS, decisionPath, EXECUTIONS, executionPath } from "../../paths.ts";
import { controlOf, decideBy } from "./answer.ts";
import { DecisionCard } from "./card.tsx";

/** The closed decisions that the page shows below the open ones. */
const LATEST = 10;

/** Returns the open decisions, the one that ends first on top. */
export async function openDecisions(api: Prompthook): Promise<DecisionRecord[]> {
  const open = await newest(api.decisions.all({ state: ["open"] }));
  return open.sort((a, b) => (a.expiresAt < b.expiresAt ? -1 : 1));
}

const idsOf = (decisions: readonly DecisionRecord[]) =>
  decisions.map(({ decisionId, remindedAt }) => [decisionId, remindedAt]);

/** Serves what waits for a person: all of it on one page, answered in place. */
export function serveDecisions(app: Dashboard): void {
  app.get("/decisions", async (http) => {
    const api = http.get("api");
    const [open, { decisions: closed }] = await Promise.all([
      openDecisions(api),
      api.decisions.list({ state: ["answered", "expired", "withdrawn"], limit: LATEST }),
    ]);
    const live = livePath(`${DECISIONS}/live`, await fingerprint(idsOf(open)));
    return show(
      http,
      <Layout
        title="Decisions"
        section="decisions"
        live={live}
        notice={http.req.query("done") === undefined ? null : "Answered."}
      >
        {open.length === 0 && (
          <Empty title="Nothing waits for a decision">
            <p>Questions of agents, and calls that require approval, appear here.</p>
            <LinkButton href={EXECUTIONS}>View executions</LinkButton>
          </Empty>
        )}
        {open.map((decision) => (
          <DecisionCard decision={decision} action={decisionPath(decision.decisionId)} />
        ))}
        {closed.length > 0 && <h2>Latest</h2>}
        {closed.map((decision) => (
          <DecisionCard decision={decision} action="" />
        ))}
      </Layout>,
    );
  });

  app.get("/decisions/live", (http) =>
    streamFollowed(http, async () => idsOf(await openDecisions(http.get("api")))),
  );

  app.get("/decisions/:decisionId", async (http) => {
    const decision = await http.get("api").decisions.get(http.req.param("decisionId"));
    return show(http, decisionPage(decision));
  });

  app.post("/decisions/:decisionId", async (http) => {
    const api = http.get("api");
    const posted = await postedForm(http);
    const id = http.req.param("decisionId");
    const before = await api.decisions.get(id);
    const reply = await decideBy(before, posted, (body) => api.decisions.decide(id, body));
    if (reply.kind === "done") {
      // Back to the page that showed it.
      const { executionId } = reply.decision;
      const isThere =
        new URL(http.req.header("Referer") ?? "http://x").pathname === executionPath(executionId);
      return http.redirect(
        isThere ? executionPath(executionId, "#status") : `${DECISIONS}?done=1`,
        303,
      );
    }
    const { refusal } = reply.state;
    // Somebody else may have answered meanwhile.
    const isConflict = refusal?.status === 409;
    const decision = isConflict ? await api.decisions.get(id) : before;
    const wrote = ["answer", "comment"]
      .map((name) => posted.line(controlOf(before, name)))
      .join("");
    const notice = isConflict && (
      <Notice tone="bad">
        <p>{refusal.message}</p>
        {wrote !== "" && <p class="plain">{`You wrote: ${wrote}`}</p>}
      </Notice>
    );
    return show(http, decisionPage(decision, reply.state, notice), refusal?.status ?? 200);
  });
}

function decisionPage(decision: DecisionRecord, sent?: FormState, notice?: Child) {
  const { decisionId, executionId } = decision;
  return (
    <Layout
      title="Decision"
      section="decisions"
      actions={<LinkButton href={executionPath(executionId)}>View execution</LinkButton>}
    >
      {notice}
      <DecisionCard decision={decision} action={decisionPath(decisionId)} sent={sent} />
    </Layout>
  );
}

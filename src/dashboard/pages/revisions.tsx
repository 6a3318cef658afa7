import type { Prompthook } from "../../client/prompthook.ts";
import type { RevisedRecords } from "../../client/resource.ts";
import { type JsonObject, jsonObject } from "../../contract/json.ts";
import type { Scope } from "../../contract/keys.ts";
import { KEPT_REVISIONS } from "../../contract/revision.ts";
import { Time } from "../components/elements.tsx";
import { AllSettings } from "../components/json-view.tsx";
import { IfMay, Layout, type SectionId, show } from "../components/layout.tsx";
import { routeOf } from "../components/list-page.tsx";
import type { Dashboard, Page } from "../context.ts";
import { postedForm } from "../forms/posted.ts";
import { Changes } from "./decisions/card.tsx";

/** A revision as the API returns it, whatever it is of. */
interface Answered {
  revision: number;
  createdAt: string;
  by: { name: string } | null;
  content: object;
}

type Revision = Answered & { content: JsonObject };

type Named = { name: string; revision: number };
type Calls<Restored> = Pick<
  RevisedRecords<string, Named, never, never, Answered, Restored>,
  "get" | "revisions" | "restore"
>;

/** A kind of resource with revisions. */
interface Kind<Restored> {
  section: SectionId;
  /** Returns the path of one, or of a page below it. */
  pathOf(id: string, rest?: string): string;
  /** What a key needs to restore. */
  scope: Scope;
  /** What restoring leaves as it is. */
  unchanged: string;
  calls(api: Prompthook): Calls<Restored>;
  /** Answers after a restoration. */
  restored(http: Page, id: string, result: Restored): Response | Promise<Response>;
}

/** Serves the revisions of each of a kind, with what each changed, and the restoration. */
export function serveRevisions<Restored>(app: Dashboard, kind: Kind<Restored>): void {
  const route = routeOf(kind.pathOf(""));

  app.get(`${route}:id/revisions`, async (http) => {
    const calls = kind.calls(http.get("api"));
    const id = http.req.param("id") ?? "";
    const [item, page] = await Promise.all([
      calls.get(id),
      calls.revisions(id, { limit: KEPT_REVISIONS + 1 }),
    ]);
    const revisions = page.revisions.map(({ content, ...rest }) => ({
      ...rest,
      content: jsonObject.parse(content),
    }));
    return show(
      http,
      <Layout
        title="Revisions"
        section={kind.section}
        crumb={{ label: item.name, href: kind.pathOf(id) }}
      >
        <p class="muted">{`The current revision and the ${KEPT_REVISIONS} before it are kept.`}</p>
        {revisions.map((one, at) =>
          revisionCard(kind, one, revisions[at + 1], { id, restored: item.revision + 1 }),
        )}
      </Layout>,
    );
  });

  app.post(`${route}:id/revisions/restore`, async (http) => {
    const id = http.req.param("id") ?? "";
    const wanted = Number((await postedForm(http)).line("revision"));
    return kind.restored(http, id, await kind.calls(http.get("api")).restore(id, wanted));
  });
}

/** One revision: its settings, and those that it changed. `restored` is the number that a restoration makes. */
function revisionCard<Restored>(
  kind: Kind<Restored>,
  { revision, createdAt, by, content }: Revision,
  before: Revision | undefined,
  { id, restored }: { id: string; restored: number },
) {
  const isCurrent = revision === restored - 1;
  return (
    <section class="card" id={`revision-${revision}`}>
      <h2>
        {`Revision ${revision}`}
        {isCurrent && <span class="muted"> (current)</span>}
      </h2>
      <p>
        <Time at={createdAt} />
        {by !== null && ` by ${by.name}`}
        {revision === 1 && ", created"}
      </p>
      {before !== undefined && <Changes before={before.content} after={content} />}
      <AllSettings of={content} title={`All settings of revision ${revision}`} />
      {!isCurrent && (
        <IfMay scope={kind.scope}>
          <form method="post" action={kind.pathOf(id, "/revisions/restore")}>
            <input type="hidden" name="revision" value={revision} />
            <p class="hint">
              {`Restoring makes revision ${restored} with these settings. ${kind.unchanged}`}
            </p>
            <button type="submit">{`Restore revision ${revision}`}</button>
          </form>
        </IfMay>
      )}
    </section>
  );
}

import type { Prompthook } from "../../client/prompthook.ts";
import { type JsonObject, jsonObject } from "../../contract/json.ts";
import type { Scope } from "../../contract/keys.ts";
import { KEPT_REVISIONS } from "../../contract/revision.ts";
import { pathText } from "../../intake/mapping/payload-path.ts";
import { type Difference, differencesBetween } from "../../lib/differences.ts";
import { Time } from "../components/elements.tsx";
import { JsonView } from "../components/json-view.tsx";
import { IfMay, Layout, type SectionId, show } from "../components/layout.tsx";
import { routeOf } from "../components/list-page.tsx";
import { type Column, Table } from "../components/table.tsx";
import type { Dashboard, Page } from "../context.ts";
import { postedForm } from "../forms/posted.ts";

/** A revision as the API returns it, whatever it is of. */
interface Answered {
  revision: number;
  createdAt: string;
  by: { name: string } | null;
  content: object;
}

interface Revision extends Answered {
  content: JsonObject;
}

/** A workflow or an endpoint. */
interface Revised {
  name: string;
  revision: number;
}

/** What the pages of a kind of resource say. */
interface Pages {
  section: SectionId;
  /** Returns the path of one, or of a page below it. */
  pathOf(id: string, rest?: string): string;
  /** What a key needs to restore. */
  scope: Scope;
  /** What restoring leaves as it is. */
  unchanged: string;
}

interface Kind<Restored> extends Pages {
  find(api: Prompthook, id: string): Promise<Revised>;
  /** Loads the newest revisions, as many as are kept. */
  list(api: Prompthook, id: string, limit: number): Promise<Answered[]>;
  restore(api: Prompthook, id: string, revision: number): Promise<Restored>;
  /** Answers after a restoration. */
  restored(http: Page, id: string, result: Restored): Response | Promise<Response>;
}

/** Serves the revisions of each of a kind, with what each changed, and the restoration. */
export function serveRevisions<Restored>(app: Dashboard, kind: Kind<Restored>): void {
  const route = routeOf(kind.pathOf(""));

  app.get(`${route}:id/revisions`, async (http) => {
    const api = http.get("api");
    const id = http.req.param("id") ?? "";
    const [item, answered] = await Promise.all([
      kind.find(api, id),
      kind.list(api, id, KEPT_REVISIONS + 1),
    ]);
    const revisions = answered.map(({ content, ...rest }) => ({
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
        {revisions.map((one, at) => (
          <RevisionCard
            revision={one}
            before={revisions[at + 1] ?? null}
            restored={item.revision + 1}
            action={kind.pathOf(id, "/revisions/restore")}
            kind={kind}
          />
        ))}
      </Layout>,
    );
  });

  app.post(`${route}:id/revisions/restore`, async (http) => {
    const id = http.req.param("id") ?? "";
    const wanted = Number((await postedForm(http)).line("revision"));
    return kind.restored(http, id, await kind.restore(http.get("api"), id, wanted));
  });
}

/** One revision: its settings, and those that it changed. */
function RevisionCard({
  revision: { revision, createdAt, by, content },
  before,
  restored,
  action,
  kind,
}: {
  revision: Revision;
  /** The revision before it; null for the first one that is kept. */
  before: Revision | null;
  /** The number of the revision that a restoration makes. */
  restored: number;
  action: string;
  kind: Pick<Pages, "scope" | "unchanged">;
}) {
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
      {before !== null && (
        <Table
          label={`Changes of revision ${revision}`}
          columns={DIFFERENCES}
          rows={[...differencesBetween(before.content, content)]}
        />
      )}
      <details>
        <summary>{`All settings of revision ${revision}`}</summary>
        <JsonView value={content} />
      </details>
      {!isCurrent && (
        <IfMay scope={kind.scope}>
          <form method="post" action={action}>
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

const DIFFERENCES: Column<Difference>[] = [
  { name: "Setting", cell: ({ path }) => <code>{pathText(path)}</code> },
  { name: "Before", is: "wrap", cell: ({ before }) => <JsonView value={before ?? null} /> },
  { name: "After", is: "wrap", cell: ({ after }) => <JsonView value={after ?? null} /> },
];

import type { Prompthook } from "../../client/prompthook.ts";
import { type JsonObject, jsonObject } from "../../contract/json.ts";
import type { Scope } from "../../contract/keys.ts";
import { KEPT_REVISIONS } from "../../contract/revision.ts";
import { pathText } from "../../intake/mapping/payload-path.ts";
import {
  type Comparable,
  changedMembers,
  type Difference,
  differencesBetween,
} from "../../lib/differences.ts";
import { Facts, NoValue, Submit, Time } from "../components/elements.tsx";
import { JsonView } from "../components/json-view.tsx";
import { Layout, type SectionId } from "../components/layout.tsx";
import { IfMay, show } from "../components/reader.tsx";
import { type Column, RowLink, Table } from "../components/table.tsx";
import type { Dashboard, Page } from "../context.ts";
import { pageNotFound } from "../error-page.tsx";
import { NO_FAULTS } from "../forms/errors.tsx";
import { Select } from "../forms/fields.tsx";
import { postedForm } from "../forms/posted.ts";
import { keyNamesOf } from "../lookups.ts";

/** A revision as the API returns it, whatever it is of. */
interface Answered {
  revision: number;
  createdAt: string;
  changedBy: string | null;
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

/** Serves the revisions of each of a kind: the list, the comparison of two, and the restoration. */
export function serveRevisions<Restored>(app: Dashboard, kind: Kind<Restored>): void {
  const route = kind.pathOf("").slice("/dashboard".length);

  app.get(`${route}:id/revisions`, async (http) => {
    const { item, revisions, keyNames } = await loaded(http, kind);
    return show(http, <RevisionsPage {...{ kind, item, revisions, keyNames }} />);
  });

  app.get(`${route}:id/revisions/:revision`, async (http) => {
    const { item, revisions, keyNames } = await loaded(http, kind);
    const wanted = http.req.param("revision");
    const at = revisions.findIndex(({ revision }) => `${revision}` === wanted);
    const shown = revisions[at];
    if (shown === undefined) return pageNotFound(http);
    const against = http.req.query("against");
    const usual = at === 0 ? revisions[1] : revisions[0];
    const other = revisions.find(({ revision }) => `${revision}` === against) ?? usual;
    return show(http, <RevisionPage {...{ kind, item, revisions, keyNames, shown, other }} />);
  });

  app.post(`${route}:id/revisions/restore`, async (http) => {
    const id = idIn(http);
    const wanted = Number((await postedForm(http)).line("revision"));
    return kind.restored(http, id, await kind.restore(http.get("api"), id, wanted));
  });
}

type Loaded = Awaited<ReturnType<typeof loaded>>;

async function loaded<Restored>(http: Page, kind: Kind<Restored>) {
  const api = http.get("api");
  const id = idIn(http);
  const [item, answered, keyNames] = await Promise.all([
    kind.find(api, id),
    kind.list(api, id, KEPT_REVISIONS + 1),
    keyNamesOf(api),
  ]);
  const revisions = answered.map(({ content, ...rest }) => ({
    ...rest,
    content: jsonObject.parse(content),
  }));
  return { item: { id, ...item }, revisions, keyNames };
}

const idIn = (http: Page): string => http.req.param("id") ?? "";

const nameOf = (revision: number): string => `Revision ${revision}`;

function RevisionsPage({ kind, item, revisions, keyNames }: Loaded & { kind: Pages }) {
  const columns: Column<Revision>[] = [
    {
      name: "Revision",
      isBare: true,
      cell: ({ revision }) => (
        <>
          <RowLink href={kind.pathOf(item.id, `/revisions/${revision}`)}>
            {nameOf(revision)}
          </RowLink>
          {revision === item.revision && <span class="muted"> (current)</span>}
        </>
      ),
    },
    {
      name: "Changed",
      is: "wrap",
      isBare: true,
      cell: (one) => changedText(one, revisions) ?? <NoValue />,
    },
    { name: "By", cell: (one) => <ChangedBy revision={one} keyNames={keyNames} /> },
    { name: "Saved", is: "num", cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
  return (
    <Layout
      title="Revisions"
      section={kind.section}
      crumb={{ label: item.name, href: kind.pathOf(item.id) }}
    >
      <Table label="Revisions" columns={columns} rows={revisions} />
      <p class="muted">{`The current revision and the ${KEPT_REVISIONS} before it are kept.`}</p>
    </Layout>
  );
}

/** Names the settings in which a revision differs from the one before; null if that is not kept. */
function changedText({ revision, content }: Revision, revisions: Revision[]): string | null {
  if (revision === 1) return "created";
  const before = revisions.find((other) => other.revision === revision - 1);
  if (before === undefined) return null;
  return changedMembers(before.content, content).join(", ");
}

/** The name of the key that made a revision, its id where the key is gone. */
function ChangedBy({
  revision: { changedBy },
  keyNames,
}: {
  revision: Revision;
  keyNames: ReadonlyMap<string, string>;
}) {
  if (changedBy === null) return <NoValue />;
  return <>{keyNames.get(changedBy) ?? <code>{changedBy}</code>}</>;
}

function RevisionPage({
  kind,
  item,
  revisions,
  keyNames,
  shown,
  other,
}: Loaded & {
  kind: Pages;
  shown: Revision;
  /** What it is compared with; undefined for the only revision. */
  other: Revision | undefined;
}) {
  const { revision, createdAt, content } = shown;
  const isCurrent = revision === item.revision;
  return (
    <Layout
      title={nameOf(revision)}
      section={kind.section}
      crumb={{ label: `Revisions of ${item.name}`, href: kind.pathOf(item.id, "/revisions") }}
    >
      <div class="card">
        <Facts
          facts={[
            ["Saved", <Time at={createdAt} />],
            ["By", <ChangedBy revision={shown} keyNames={keyNames} />],
            isCurrent && ["State", "current"],
          ]}
        />
      </div>
      {other !== undefined && (
        <section class="part" aria-labelledby="compared">
          <h2 id="compared">{`Compared with revision ${other.revision}`}</h2>
          <form method="get" class="inline-form ends">
            <Select
              name="against"
              label="Compare with"
              value={`${other.revision}`}
              options={revisions
                .filter((one) => one !== shown)
                .map((one) => ({ value: `${one.revision}`, label: nameOf(one.revision) }))}
              faults={NO_FAULTS}
            />
            <button type="submit">Compare</button>
          </form>
          <Differences revisions={other.revision < revision ? [other, shown] : [shown, other]} />
        </section>
      )}
      <details class="card">
        <summary>{`All settings of revision ${revision}`}</summary>
        <JsonView value={content} />
      </details>
      {!isCurrent && (
        <IfMay scope={kind.scope}>
          <form method="post" action={kind.pathOf(item.id, "/revisions/restore")} class="card">
            <input type="hidden" name="revision" value={revision} />
            <p>{`Makes revision ${item.revision + 1} with these settings. ${kind.unchanged}`}</p>
            <Submit>{`Restore revision ${revision}`}</Submit>
          </form>
        </IfMay>
      )}
    </Layout>
  );
}

/** The settings in which two revisions differ, side by side. */
function Differences({ revisions: [before, after] }: { revisions: [Revision, Revision] }) {
  const found = [...differencesBetween(before.content, after.content)];
  if (found.length === 0) return <p class="muted">The settings are the same.</p>;
  const columns: Column<Difference>[] = [
    { name: "Setting", isBare: true, cell: ({ path }) => <code>{pathText(path)}</code> },
    { name: nameOf(before.revision), is: "wrap", cell: ({ before }) => <Setting value={before} /> },
    { name: nameOf(after.revision), is: "wrap", cell: ({ after }) => <Setting value={after} /> },
  ];
  return <Table label="Differences" columns={columns} rows={found} />;
}

function Setting({ value }: { value: Comparable | undefined }) {
  if (value === undefined || value === null) return <NoValue />;
  return typeof value === "string" ? (
    <span class="prose">{value}</span>
  ) : (
    <JsonView value={value} />
  );
}

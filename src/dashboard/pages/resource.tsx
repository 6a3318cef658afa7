import type { Child } from "hono/jsx";
import type * as z from "zod";
import type { Prompthook } from "../../client/prompthook.ts";
import type { PageQuery } from "../../client/resource.ts";
import type { Scope } from "../../contract/keys.ts";
import { capital } from "../../lib/text.ts";
import { IfMay, Layout, placeOf, type SectionId, show } from "../components/layout.tsx";
import { type List, type Listed, routeOf, serveList } from "../components/list-page.tsx";
import type { Column } from "../components/table.tsx";
import type { Dashboard, Page } from "../context.ts";
import { pageNotFound } from "../error-page.tsx";
import { SubmitOrCancel } from "../forms/fields.tsx";
import type { Form } from "../forms/form.ts";
import { serveCreation } from "../forms/form-page.tsx";
import { findIn } from "../lookups.ts";

/** The calls of the API for things that are listed, created and deleted. */
interface Calls<Loaded, Row, Body, Made> {
  list(query: PageQuery): Promise<Loaded>;
  all(): AsyncIterable<Row>;
  create(body: Body): Promise<Made>;
  delete(id: string): Promise<unknown>;
}

interface Managed<Schema extends z.ZodType, Loaded, Row, Made>
  extends Pick<List<object, Loaded, Row, never>, "section" | "rowsOf" | "seen" | "notices">,
    Pick<Deletion<Row>, "act" | "nameOf" | "about"> {
  /** What creating and deleting need. */
  scope: Scope;
  calls(api: Prompthook): Calls<Loaded, Row, z.output<Schema>, Made>;
  idOf(row: Row): string;
  columns(http: Page): Column<Row>[] | Promise<Column<Row>[]>;
  empty: { title: string; text: string };
  form: Form<Schema>;
  /** The values of the blank form. */
  initial?: object;
  /** What the buttons of the form, and that lead to it, say. */
  create: string;
  /** Answers after one was created; with its list and the notice `created` by default. */
  created?(http: Page, made: Made): Response | Promise<Response>;
  /** Tells whether it can still be deleted; each can by default. */
  isDeletable?(row: Row): boolean;
}

/** Serves things that are created and deleted: their list, the form, and the question before one goes. */
export function serveResource<Schema extends z.ZodType, Loaded extends Listed, Row, Made>(
  app: Dashboard,
  managed: Managed<Schema, Loaded, Row, Made>,
): void {
  const { section, rowsOf, seen, notices, empty, scope, act } = managed;
  const { calls, idOf, nameOf, form, initial, create, created } = managed;
  const { path } = placeOf(section);
  const actions: Column<Row> = {
    name: "Actions",
    is: "keep",
    cell: (row) =>
      managed.isDeletable?.(row) !== false && (
        <IfMay scope={scope}>
          <DeleteLink
            href={`${path}/${encodeURIComponent(idOf(row))}/${act}`}
            name={nameOf(row)}
            verb={capital(act)}
          />
        </IfMay>
      ),
  };
  serveList(app, {
    section,
    rowsOf,
    ...(seen && { seen }),
    ...(notices && { notices }),
    empty,
    load: (api, query) => calls(api).list(query),
    around: async (http) => [...(await managed.columns(http)), actions],
    columns: (columns) => columns,
    action: { scope, href: `${path}/new`, children: create },
  });
  serveCreation(app, {
    section,
    title: create,
    submit: create,
    form,
    ...(initial && { initial }),
    create: (api, body) => calls(api).create(body),
    done: created ?? ((http) => http.redirect(`${path}?done=created`, 303)),
  });
  serveDeletion(app, {
    section,
    act,
    find: (http, id) => findIn(calls(http.get("api")).all(), (row) => idOf(row) === id),
    nameOf,
    about: managed.about,
    remove: (api, id) => calls(api).delete(id),
    ...(notices?.deleted !== undefined && { done: "?done=deleted" }),
  });
}

interface Deletion<Item> {
  section: SectionId;
  /** What the button says, in lower case, and the end of its path. */
  act: string;
  /** Loads one by its id; undefined for none. */
  find(http: Page, id: string): Promise<Item | undefined>;
  nameOf(item: Item): string;
  /** What the page says before it asks. */
  about(item: Item, http: Page): Child | Promise<Child>;
  remove(api: Prompthook, id: string): Promise<unknown>;
  /** The query of the list afterwards. */
  done?: string;
}

/** Serves the question before one of a section's list is deleted, and its answer. */
export function serveDeletion<Item>(app: Dashboard, deletion: Deletion<Item>): void {
  const { section, act, find, nameOf, about, remove, done = "" } = deletion;
  const { path } = placeOf(section);
  app.get(`${routeOf(path)}/:id/${act}`, async (http) => {
    const id = http.req.param("id");
    const item = await find(http, id);
    if (item === undefined) return pageNotFound(http);
    const title = `${capital(act)} ${nameOf(item)}`;
    return show(
      http,
      <Layout title={`${title}?`} section={section}>
        {await about(item, http)}
        <form method="post" action={`${path}/${encodeURIComponent(id)}/${act}`}>
          <SubmitOrCancel submit={title} tone="danger" back={path} />
        </form>
      </Layout>,
    );
  });
  app.post(`${routeOf(path)}/:id/${act}`, async (http) => {
    await remove(http.get("api"), http.req.param("id"));
    return http.redirect(`${path}${done}`, 303);
  });
}

/** The link to the question before one of a list is deleted. */
export function DeleteLink({ href, name, verb }: { href: string; name: string; verb: string }) {
  return (
    <a class="button danger" href={href} aria-label={`${verb} ${name}`}>
      {verb}
    </a>
  );
}

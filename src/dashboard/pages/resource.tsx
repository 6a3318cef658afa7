import type { Child } from "hono/jsx";
import type { Prompthook } from "../../client/prompthook.ts";
import { Layout } from "../components/layout.tsx";
import { type Resource, routeOf } from "../components/list-page.tsx";
import { show } from "../components/reader.tsx";
import type { Dashboard, Page } from "../context.ts";
import { pageNotFound } from "../error-page.tsx";
import { SubmitOrCancel } from "../forms/fields.tsx";

interface Deletion<Item> extends Resource {
  /** The end of the path of one, such as `remove`. */
  act: string;
  /** Loads one by its id; undefined for none. */
  find(http: Page, id: string): Promise<Item | undefined>;
  nameOf(item: Item): string;
  /** What the page says before it asks. */
  about(item: Item): Child;
  remove(api: Prompthook, id: string): Promise<unknown>;
  /** The query of the list afterwards. */
  done?: string;
}

/** Serves the question before one of a list is deleted, and its answer. */
export function serveDeletion<Item>(app: Dashboard, deletion: Deletion<Item>): void {
  const { path, section, act, find, nameOf, about, remove, done = "" } = deletion;
  const verb = `${act.charAt(0).toUpperCase()}${act.slice(1)}`;
  app.get(`${routeOf(path)}/:id/${act}`, async (http) => {
    const id = http.req.param("id");
    const item = await find(http, id);
    if (item === undefined) return pageNotFound(http);
    const title = `${verb} ${nameOf(item)}`;
    return show(
      http,
      <Layout title={`${title}?`} section={section} crumb={{ label: deletion.title, href: path }}>
        {about(item)}
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

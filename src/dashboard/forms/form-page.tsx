import type { Child } from "hono/jsx";
import type * as z from "zod";
import type { Prompthook } from "../../client/prompthook.ts";
import { Layout, placeOf, type SectionId, show } from "../components/layout.tsx";
import { routeOf } from "../components/list-page.tsx";
import type { Dashboard, Page } from "../context.ts";
import { pageNotFound } from "../error-page.tsx";
import { NO_FAULTS, type Refusal } from "./errors.ts";
import { Control, DefaultSubmit, FormErrors, isAnyFaulty, SubmitOrCancel } from "./fields.tsx";
import {
  changedRows,
  type Form,
  type FormState,
  isSet,
  type RefusedState,
  shownForm,
  submit,
  withoutBlankRows,
} from "./form.ts";
import { type Posted, postedForm } from "./posted.ts";

/** A form of the API on a page. */
interface ServedForm<Schema extends z.ZodType, Loaded, Made> {
  /** The path of the page. */
  path: string;
  /** Where the form is sent; its page by default. */
  action?: string;
  /** Loads what the page and the form need; undefined for a page that does not exist. */
  load(http: Page): Promise<Loaded | undefined>;
  form(loaded: Loaded): Form<Schema>;
  /** Returns the record whose values are shown first. */
  initial?(loaded: Loaded, http: Page): object | Promise<object>;
  page(state: FormState, loaded: Loaded, http: Page): Child | Promise<Child>;
  /** Calls the API with the body that was typed. */
  save(api: Prompthook, body: z.output<Schema>, sent: Sent<Loaded>): Promise<Made>;
  /** Answers after that, mostly with a redirect. */
  done(http: Page, made: Made, sent: Sent<Loaded>): Response | Promise<Response>;
  /** Returns the revision that the form changes, which its action names in a query. */
  revisionOf?(loaded: Loaded): number;
  /** Changes what a refused form says. */
  refused?(state: RefusedState, loaded: Loaded): RefusedState;
}

interface Sent<Loaded> {
  loaded: Loaded;
  typed: Posted;
  /** The form as it was sent. */
  state: FormState;
  http: Page;
}

/** Serves a form and what it sends: rows come and go, and what the API refuses is shown at its control. */
export function serveForm<Schema extends z.ZodType, Loaded, Made>(
  app: Dashboard,
  served: ServedForm<Schema, Loaded, Made>,
): void {
  const { path, action = path, load, page, refused = (state) => state } = served;
  // A refused form is at its action, where a reload and each update of a live page ask for the page.
  for (const shownAt of new Set([path, action])) {
    app.get(routeOf(shownAt), async (http) => {
      const loaded = await load(http);
      if (loaded === undefined) return pageNotFound(http);
      const state = shownForm(served.form(loaded), await served.initial?.(loaded, http));
      return show(http, await page(state, loaded, http));
    });
  }
  app.post(routeOf(action), async (http) => {
    const loaded = await load(http);
    if (loaded === undefined) return pageNotFound(http);
    const form = served.form(loaded);
    const takesFiles = Object.values(form.fields).some(({ kind }) => kind === "files");
    const typed = await postedForm(http, takesFiles);
    const state: FormState = { form, typed, refusal: null };
    const redrawn = changedRows(form, typed);
    if (redrawn !== null) return show(http, await page(redrawn, loaded, http));
    const { revision: opened } = http.req.query();
    if (opened !== undefined && opened !== String(served.revisionOf?.(loaded))) {
      return show(http, await page({ ...state, refusal: OVERTAKEN }, loaded, http), 409);
    }
    const sent = { loaded, typed, state, http };
    const saved = await submit(form, withoutBlankRows(form, typed), (body) =>
      served.save(http.get("api"), body, sent),
    );
    if (saved.ok) return served.done(http, saved.value, sent);
    const shown = refused(saved.state, loaded);
    return show(http, await page(shown, loaded, http), shown.refusal.status);
  });
}

/** Somebody has saved what the form changes since it was opened: that must not be undone unseen. */
const OVERTAKEN: Refusal = {
  status: 409,
  message: "This was changed while the form was open. Save again to replace that by what is below.",
  faults: NO_FAULTS,
};

interface Creation<Schema extends z.ZodType, Made> {
  section: SectionId;
  title: string;
  form: Form<Schema>;
  /** What the button says. */
  submit: string;
  /** The values of the blank form. */
  initial?: object;
  create(api: Prompthook, body: z.output<Schema>): Promise<Made>;
  done(http: Page, made: Made): Response | Promise<Response>;
}

/** Serves the form that creates one of a section's list, which is sent to the list's path. */
export function serveCreation<Schema extends z.ZodType, Made>(
  app: Dashboard,
  { form, initial = {}, create, done, ...page }: Creation<Schema, Made>,
): void {
  const { path } = placeOf(page.section);
  serveForm(app, {
    path: `${path}/new`,
    action: path,
    load: async () => page,
    form: () => form,
    initial: () => initial,
    page: (state) => <FormPage {...page} back={path} action={path} state={state} />,
    save: create,
    done,
  });
}

/** A page with one form, and the way back to where it came from; without `children`, of all its controls. */
export function FormPage({
  title,
  section,
  back,
  action,
  state,
  submit: button,
  about,
  children,
}: {
  title: string;
  section: SectionId;
  /** The path of the page to which its reader goes back. */
  back: string;
  action: string;
  state: FormState;
  submit: string;
  /** Above the form. */
  about?: Child;
  children?: Child;
}) {
  return (
    <Layout title={title} section={section}>
      {about}
      <FormErrors of={state} />
      <form method="post" action={action} class={children === undefined ? "card" : "form"}>
        <DefaultSubmit />
        {children ??
          Object.keys(state.form.fields).map((name) => <Control of={state} name={name} />)}
        <SubmitOrCancel submit={button} back={back} />
      </form>
    </Layout>
  );
}

/** A part of a form; with `about`, which says what holds while none of its controls is set, it is folded till then. */
export function Section({
  of,
  title,
  names,
  about,
  isOpen = false,
  children = names.map((name) => <Control of={of} name={name} />),
}: {
  of: FormState;
  title?: Child;
  names: readonly string[];
  about?: string;
  isOpen?: boolean;
  children?: Child;
}) {
  if (about === undefined) {
    return (
      <section class="card">
        {title !== undefined && <h2>{title}</h2>}
        {children}
      </section>
    );
  }
  const isChanged = names.some((name) => isSet(of, name)) || isAnyFaulty(of, names);
  return (
    <details class="card group" open={isOpen || isChanged}>
      <summary>
        <h2>{title}</h2> <span class="muted">{about}</span>
      </summary>
      {children}
    </details>
  );
}

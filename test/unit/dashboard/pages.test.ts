import { Hono } from "hono";
import { expect, it } from "vitest";
import { mountDashboard } from "../../../src/dashboard/mount.tsx";
import type { AppEnv } from "../../../src/http/context.ts";
import { PAGES } from "../../support/browser/pages.ts";

/** Routes of streams, tables of text, downloads and parts of pages. */
const NO_PAGE = /\/(?:live|live-callbacks|csv|body|preview|result|:outputId)$|\/assets\/|\*$/;
/** The questions before something is deleted are one page, which that of keys stands for. */
const QUESTION = /\/:id\/(?:delete|remove)$/;
/** Where forms of a covered page are sent: a reload there shows that page again. */
const ACTION = /\/:\w+\/(?:message|stop|replay|secret|run)$/;

it("every page is covered by the browser tests", () => {
  const app = new Hono<AppEnv>();
  mountDashboard(app);
  const routes = app.routes.filter(({ method, path }) => method === "GET" && path !== "/");
  const seen = PAGES.map((page) => page.replace(/\?.*/, ""));
  const isSeen = (route: string) => {
    const pattern = new RegExp(
      `^${route.replaceAll(/\/:\w+\?/g, "(/:\\w+)?").replaceAll(/:\w+/g, "(:\\w+|1|hmac)")}$`,
    );
    return seen.some((page) => pattern.test(page));
  };
  const unseen = routes
    .map(({ path }) => path)
    .filter((path) => [NO_PAGE, QUESTION, ACTION].every((other) => !other.test(path)))
    .filter((path) => !isSeen(path));
  expect(unseen).toEqual([]);
});

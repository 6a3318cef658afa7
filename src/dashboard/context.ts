import type { Context, Hono } from "hono";
import type { Prompthook } from "../client/prompthook.ts";
import type { AppEnv } from "../http/context.ts";

/** What the dashboard's requests carry with them once somebody is signed in. */
export interface DashboardEnv {
  Bindings: CloudflareEnv;
  Variables: AppEnv["Variables"] & {
    /** The API as the account that is signed in. */
    api: Prompthook;
  };
}

export type Dashboard = Hono<DashboardEnv>;

/** One request for a page of the dashboard. */
export type Page = Context<DashboardEnv>;

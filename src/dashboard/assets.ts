import { createHash } from "node:crypto";
import type { Hono } from "hono";
import idiomorph from "idiomorph/dist/idiomorph.min.js";
import type { AppEnv } from "../http/context.ts";
import icon from "./icon.svg";
import icons from "./icons.svg";
import forms from "./islands/forms.js";
import json from "./islands/json.js";
import keys from "./islands/keys.js";
import page from "./islands/page.js";
import senders from "./senders.svg";
import base from "./styles/base.css";
import content from "./styles/content.css";
import controls from "./styles/controls.css";
import executions from "./styles/executions.css";
import frame from "./styles/frame.css";
import overview from "./styles/overview.css";
import webhooks from "./styles/webhooks.css";

const TYPES = { css: "text/css; charset=utf-8", js: "text/javascript; charset=utf-8" };
const FILES = {
  "icon.svg": { type: "image/svg+xml", text: icon },
  "icons.svg": { type: "image/svg+xml", text: icons },
  "senders.svg": { type: "image/svg+xml", text: senders },
  "style.css": {
    type: TYPES.css,
    // In this order: later rules override earlier ones.
    text: [base, frame, controls, content, executions, overview, webhooks].join("\n"),
  },
  "morph.js": { type: TYPES.js, text: idiomorph },
  "page.js": { type: TYPES.js, text: [page, forms, json].join("\n") },
  "keys.js": { type: TYPES.js, text: keys },
};

export type AssetName = keyof typeof FILES;

const MAX_AGE_SECONDS = 31_536_000;

/** Hashes of the assets' contents, so that browsers can cache them forever. */
const versions = new Map<AssetName, string>();

/** Returns the URL of an asset, which changes with its contents. */
export function assetUrl(name: AssetName): string {
  const known = versions.get(name) ?? shortHash(FILES[name].text);
  versions.set(name, known);
  return `/dashboard/assets/${known}/${name}`;
}

/** Whether the sender of a preset has a mark in `senders.svg`. */
export const hasMark = (preset: string): boolean => senders.includes(`<symbol id="${preset}"`);

/** Serves the assets of the pages. */
export function serveAssets(app: Hono<AppEnv>): void {
  for (const [name, { type, text }] of Object.entries(FILES)) {
    app.get(`/dashboard/assets/:version/${name}`, (http) =>
      http.body(text, 200, {
        "Content-Type": type,
        "Cache-Control": `public, max-age=${MAX_AGE_SECONDS}, immutable`,
      }),
    );
  }
}

const shortHash = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 8);

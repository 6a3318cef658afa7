import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const miniflare: typeof import("miniflare") = require("miniflare");

/** Miniflare. An import would read its megabytes twice more: for the kind of module, and for its names. */
export const { CoreHeaders, convertV4MiniflareOptions, Log, LogLevel, Miniflare } = miniflare;

import type { ToolServices } from "../../src/agent/tools/tool.ts";

/** For tools that need nothing of the world but `fetch`. */
export const NO_SERVICES: ToolServices = {};

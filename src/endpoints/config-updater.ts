import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";
import type { StageError } from "../contract/webhooks/payload.ts";
import { routesOf } from "../intake/routing/routes.ts";
import type { Configs } from "./configs.ts";
import type { Router } from "./router.ts";
import type { Work } from "./work.ts";

const DELETED: StageError = {
  stage: "start",
  rule: "endpoint_deleted",
  message: "The endpoint was deleted while this request was held.",
};

interface UpdaterComponents {
  configs: Configs;
  work: Work;
  router: Router;
}

/** Applies configurations, with their consequences for the requests that are held. */
export class ConfigUpdater {
  readonly #components: UpdaterComponents;

  constructor(components: UpdaterComponents) {
    this.#components = components;
  }

  /** Applies a configuration. Returns false if it is not newer than the current one. */
  apply(config: EndpointConfig, now: number): boolean {
    const { configs, work } = this.#components;
    if (configs.knows(config)) return false;
    configs.put(config, (before) => {
      if (config.deleted) this.#abandon(now);
      // Those that could not be mapped to another workflow may well be mapped to this one.
      else if (startedBy(config) !== (before && startedBy(before))) work.retryHeld();
    });
    return true;
  }

  #abandon(now: number): void {
    const { work, router } = this.#components;
    for (const seq of work.heldAfter(0, work.held().count)) router.abandon(seq, DELETED, now);
    router.abandonWaiting(DELETED, now);
  }
}

/** Names what a configuration starts. */
function startedBy(config: EndpointConfig): string {
  return JSON.stringify(routesOf(config).map(({ name, workflowId }) => ({ name, workflowId })));
}

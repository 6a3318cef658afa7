import type { EndpointConfig } from "../../contract/inbound/endpoint.ts";
import type { StageError } from "../../contract/inbound/payload.ts";
import type { Configs } from "./configs.ts";
import type { RequestLog } from "./log.ts";
import type { Outcomes } from "./outcomes.ts";
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
  log: RequestLog;
  outcomes: Outcomes;
  router: Router;
  newExecutionId(now: number): string;
}

/** Applies configurations, and releases or fails the requests that are held. */
export class ConfigUpdater {
  readonly #components: UpdaterComponents;

  constructor(components: UpdaterComponents) {
    this.#components = components;
  }

  /** Applies a configuration. Returns false if it is not newer than the current one. */
  apply(config: EndpointConfig, now: number): boolean {
    const { configs, work } = this.#components;
    if (configs.knows(config)) return false;
    configs.put(config, () => {
      if (config.deleted) this.#abandon(work.heldSeqs(), now);
      else if (config.workflow !== null) this.#release(work.heldSeqs(), config, now);
    });
    return true;
  }

  #abandon(held: readonly number[], now: number): void {
    for (const seq of held) this.#components.outcomes.abandon(seq, [DELETED], now);
    this.#components.router.abandonWaiting(DELETED, now);
  }

  #release(held: readonly number[], config: EndpointConfig, now: number): void {
    const { work, log, newExecutionId } = this.#components;
    for (const seq of held) {
      work.release(seq, newExecutionId(now), config.version);
      log.noteRevisions(seq, config);
    }
  }
}

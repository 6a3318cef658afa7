import type { EndpointConfig } from "../../contract/inbound/endpoint.ts";
import type { StageError } from "../../contract/inbound/payload.ts";
import type { Configs } from "./configs.ts";
import type { Outcomes } from "./outcomes.ts";
import type { Work } from "./work.ts";

const DELETED: StageError = {
  stage: "start",
  rule: "endpoint_deleted",
  message: "The endpoint was deleted while this request waited for a workflow.",
};

interface AdoptionParts {
  configs: Configs;
  work: Work;
  outcomes: Outcomes;
  newExecutionId(now: number): string;
}

/** Takes over configurations, with what they mean for the requests that are held. */
export class Adoption {
  readonly #parts: AdoptionParts;

  constructor(parts: AdoptionParts) {
    this.#parts = parts;
  }

  /** Takes over a configuration; false for one that is not newer than the one there is. */
  adopt(config: EndpointConfig, now: number): boolean {
    const { configs, work } = this.#parts;
    if (configs.knows(config)) return false;
    configs.put(config, () => {
      if (config.deleted) this.#abandon(work.heldSeqs(), now);
      else if (config.workflow !== null) this.#release(work.heldSeqs(), config.version, now);
    });
    return true;
  }

  #abandon(held: readonly number[], now: number): void {
    for (const seq of held) this.#parts.outcomes.abandon(seq, DELETED, now);
  }

  #release(held: readonly number[], version: number, now: number): void {
    for (const seq of held) {
      this.#parts.work.release(seq, this.#parts.newExecutionId(now), version);
    }
  }
}

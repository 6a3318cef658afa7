import type { ModelError, ModelReply, ModelTry } from "../contract/conversation.ts";

/** Measures how fast a model replies. */
export class Pace {
  readonly #now: () => number;
  readonly #tried: Pick<ModelTry, "step" | "model" | "at">;
  #firstAt: number | null = null;

  constructor(model: string, step: number, { now }: { now(): number }) {
    this.#now = now;
    this.#tried = { step, model, at: now() };
  }

  wrote(): void {
    this.#firstAt ??= this.#now();
  }

  replied({ usage }: ModelReply): ModelTry {
    const seconds = (this.#now() - (this.#firstAt ?? this.#now())) / 1_000;
    const speed = usage.outputTokens / seconds;
    // A reply that comes in one piece has no speed.
    return { ...this.#times(), usage, ...(seconds > 0 && { tokensPerSecond: round(speed) }) };
  }

  failed({ message, status, usage }: ModelError): ModelTry {
    return {
      ...this.#times(),
      error: message,
      ...(status !== null && { status }),
      ...(usage !== null && { usage }),
    };
  }

  #times() {
    const { at } = this.#tried;
    return {
      ...this.#tried,
      durationMs: this.#now() - at,
      ...(this.#firstAt !== null && { firstTokenMs: this.#firstAt - at }),
    };
  }
}

const round = (value: number) => Math.round(value * 10) / 10;

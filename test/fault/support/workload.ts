import type { TriggerInput } from "../../support/client.ts";
import {
  type Behaviour,
  call,
  callsTools,
  finishes,
  type Script,
} from "../../support/model-server/behaviour.ts";

/** What one execution of a fault test is asked to do. */
export interface Job {
  /** Names it everywhere: its Idempotency-Key, its orders, its metadata. */
  name: string;
  input: TriggerInput;
}

export interface Places {
  shop: string;
  callbackUrl: string;
  callbackSecret: string;
}

/**
 * The n-th job: by turns pages read by the planner, pages read by a model, orders placed by a model.
 * Two of three ask for a callback.
 */
export function jobOf(number: number, prefix: string, places: Places): Job {
  const name = `${prefix}-${number}`;
  const kinds = [readByPlanner, readByModel, orderByModel];
  const input = (kinds[number % kinds.length] ?? readByPlanner)(name, places.shop);
  const { callbackUrl, callbackSecret } = places;
  const callback = number % 9 < 6 ? { callbackUrl, callbackSecret } : {};
  return { name, input: { ...input, ...callback, maxCredits: 20, metadata: { name } } };
}

function readByPlanner(_: string, shop: string): TriggerInput {
  return { prompt: `Extract the table from ${shop}/pages/1 and ${shop}/pages/2 and sum the price` };
}

function readByModel(_: string, shop: string): TriggerInput {
  return { prompt: `read ${shop}`, model: "openai/reader" };
}

function orderByModel(name: string, shop: string): TriggerInput {
  return { prompt: `order ${shop}/orders/${name}`, model: "openai/buyer" };
}

/** The models of the jobs. They keep nothing: the n-th step of a conversation is always the same. */
export const MODELS: Record<string, Script> = {
  reader: (request) => {
    const [, shop] = wordsOf(request);
    const pages = [1, 2, 3].map((page) =>
      callsTools(call("browse", { url: `${shop}/pages/${page}` })),
    );
    return stepOf(request, [...pages, finishes("read three pages")]);
  },
  buyer: (request) => {
    const [, target] = wordsOf(request);
    const order = (part: string) =>
      callsTools(
        call("http_request", { method: "POST", url: `${target}/${part}`, body: { part } }),
      );
    return stepOf(request, [order("first"), order("second"), finishes("ordered twice")]);
  },
};

type Request = Parameters<Extract<Script, (...args: never) => unknown>>[0];

function stepOf({ messages }: Request, steps: Behaviour[]): Behaviour {
  const step = messages.filter(({ role }) => role === "assistant").length;
  return steps[step] ?? finishes("nothing left to do");
}

/** The words of the prompt, which is the first user message. */
function wordsOf({ messages }: Request): string[] {
  const prompt = messages.find(({ role }) => role === "user")?.content;
  const text =
    typeof prompt === "string" ? prompt : (prompt?.map((part) => part.text).join("") ?? "");
  return text.trim().split(/\s+/);
}

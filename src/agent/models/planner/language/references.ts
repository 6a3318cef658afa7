import type { Json, JsonObject } from "../../../../contract/json.ts";
import { isObject } from "../../../../lib/json-values.ts";

const REFERENCE = /\{\{\s{0,4}([\w.-]{1,100})\s{0,4}\}\}/g;
/** Marks that no prompt means anything by: `\uE000` and `\uE001` around a reference's place. */
const MARKS = /[\uE000-\uE002]/g;
const TOKEN = /\uE000(\d+)\uE001/g;
const BARE = /^\uE002(\d+)\uE001$/;
const LONE = /^\uE000(\d+)\uE001$/;

/** A reference of the prompt, and what it stands for: nothing where there is no such input. */
export interface Reference {
  name: string;
  value: Json | undefined;
}

/** What a value reads as within a text. */
export function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * The `{{input}}` references of a prompt. Each stands in the text as a token without spaces until the
 * part around it is taken out: an address, JSON, a quotation. Values are data that others may have
 * written, so none ever stands in a text that is still to be read.
 */
export class References {
  /** Why the prompt cannot be carried out with these values. */
  readonly problems: string[] = [];
  private readonly all: Reference[] = [];
  private readonly inputs: JsonObject;

  constructor(inputs: JsonObject | null) {
    this.inputs = inputs ?? {};
  }

  mark(prompt: string): string {
    return prompt.replace(MARKS, "").replace(REFERENCE, (_raw, name: string) => {
      const value = Object.hasOwn(this.inputs, name) ? this.inputs[name] : undefined;
      return `\uE000${this.all.push({ name, value }) - 1}\uE001`;
    });
  }

  at(place: string | undefined): Reference {
    return this.all[Number(place)] ?? { name: "", value: undefined };
  }

  /** The names that no input has. */
  get missing(): string[] {
    const names = this.all.flatMap(({ name, value }) => (value === undefined ? [name] : []));
    return [...new Set(names)];
  }

  /** The reference that a text consists of; null where it is none or more than that. */
  lone(text: string): Reference | null {
    const place = LONE.exec(text.trim())?.[1];
    return place === undefined ? null : this.at(place);
  }

  /** A text of the client's own, with the values in it. */
  text(text: string, write: (value: Json) => string = textOf): string {
    return text.replace(TOKEN, (_raw, place: string) => {
      const { name, value } = this.at(place);
      return value === undefined ? `{{${name}}}` : write(value);
    });
  }

  /** JSON with references in it: a bare one is its value, one in quotes its text. */
  json(text: string): Json | undefined {
    try {
      return this.resolved(JSON.parse(quoteBare(text)));
    } catch {
      return undefined;
    }
  }

  private resolved(value: Json): Json {
    if (Array.isArray(value)) return value.map((one) => this.resolved(one));
    if (isObject(value)) {
      const entries = Object.entries(value);
      return Object.fromEntries(
        entries.map(([key, one]) => [this.text(key), this.resolved(one ?? null)]),
      );
    }
    if (typeof value !== "string") return value;
    const bare = BARE.exec(value)?.[1];
    if (bare !== undefined) return this.bare(this.at(bare));
    const alone = this.lone(value)?.value;
    // No text holds a list or an object: they stay what they are, in quotes too.
    return alone !== undefined && typeof alone === "object" ? alone : this.text(value);
  }

  private bare({ name, value }: Reference): Json {
    if (value !== undefined) return value;
    this.problems.push(`The prompt refers to the input "${name}", which was not given.`);
    return null;
  }
}

/** Puts the references in quotes that stand in JSON as values of their own. */
function quoteBare(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|\uE000(\d+)\uE001/g, (raw, place: string | undefined) =>
    place === undefined ? raw : `"\uE002${place}\uE001"`,
  );
}

import type { Json, JsonObject } from "../../../../../../src/contract/json.ts";

/** What a prompt must come to; all that is given must hold. */
export interface Expected {
  /** Exactly this data. */
  data?: Json;
  /** An object with at least these values. */
  has?: JsonObject;
  /** So many rows. */
  rows?: number;
  /** A first row with this value in it. */
  first?: string;
  /** Texts that the data has somewhere. */
  names?: string[];
  /** Texts that the data has nowhere. */
  lacks?: string[];
  /** What the summary matches. */
  says?: RegExp;
  /** A failure whose summary matches. */
  failed?: RegExp;
  /** The type of an output that is handed over. */
  output?: string;
  /** The e-mails that were written, in their order; none when the list is empty. */
  mails?: ExpectedMail[];
  /** The files that were made, by name. */
  files?: string[];
  /** The sheets of the workbook that was made. */
  sheets?: string[];
  /** The requests that may change something, in their order; none when the list is empty. */
  writes?: { method: string; url: string; body?: unknown }[];
  /** Tools that were called, among others. */
  uses?: string[];
  /** Tools that were not called. */
  avoids?: string[];
}

/** What must hold of an e-mail. */
export interface ExpectedMail {
  to: string[];
  cc?: string[];
  subject?: string;
  text?: RegExp;
  attached?: string[];
}

export type Case = [prompt: string, expected: Expected];

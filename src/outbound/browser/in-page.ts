/**
 * An element as code that runs in the page sees it: what this project's types know by that name is
 * the runtime's own.
 */
export interface InPage {
  tagName: string;
  matches?(selector: string): boolean;
  /** What a label is for. */
  control?: InPage | null;
  /** Marks all of a field's text. */
  select?(): void;
  /** What a drop-down list offers. */
  options?: Iterable<{ value: string; label: string }>;
}

import { type CallOptions, eachPage, type Page, type PageQuery } from "./paging.ts";
import type { Transport } from "./transport.ts";

/** Things of the account that the service lists, newest first. */
export class List<Name extends string, Item> {
  protected readonly transport: Transport;
  protected readonly path: string;
  readonly #name: Name;

  /** `name` is the field of a page that has the items. */
  constructor(transport: Transport, path: string, name: Name) {
    this.transport = transport;
    this.path = path;
    this.#name = name;
  }

  list(query: PageQuery = {}, { signal }: CallOptions = {}): Promise<Page<Name, Item>> {
    return this.transport.json({ method: "GET", path: this.path, query: { ...query }, signal });
  }

  /** Iterates over all of them, newest first, page by page. */
  async *all(options: CallOptions = {}): AsyncGenerator<Item, void, void> {
    const read = (place: PageQuery) => this.list({ ...place, limit: 100 }, options);
    for await (const page of eachPage(read)) yield* page[this.#name];
  }

  /** Returns the path of one of them, or of something of it. */
  protected at(id: string, rest = ""): string {
    return `${this.path}/${encodeURIComponent(id)}${rest}`;
  }
}

/** Things that are created and deleted. */
export class Collection<Name extends string, Item, Create, Created = Item> extends List<
  Name,
  Item
> {
  create(body: Create, { signal }: CallOptions = {}): Promise<Created> {
    return this.transport.json({ method: "POST", path: this.path, body, signal });
  }

  delete(id: string, { signal }: CallOptions = {}): Promise<void> {
    return this.transport.none({ method: "DELETE", path: this.at(id), signal });
  }
}

/** Things whose settings are read and changed one by one. */
export class Records<Name extends string, Item, Create, Update, Saved = Item> extends Collection<
  Name,
  Item,
  Create,
  Saved
> {
  get(id: string, { signal }: CallOptions = {}): Promise<Item> {
    return this.transport.json({ method: "GET", path: this.at(id), signal });
  }

  update(id: string, body: Update, { signal }: CallOptions = {}): Promise<Saved> {
    return this.transport.json({ method: "PATCH", path: this.at(id), body, signal });
  }
}

/** Options of a change by name: `revision` is the one that must be the current one, 0 for none. */
export interface NamedOptions extends CallOptions {
  revision?: number;
}

/** Things that may have an external id, a name of your own. */
export class NamedRecords<Name extends string, Item, Create, Update, Saved = Item> extends Records<
  Name,
  Item,
  Create,
  Update,
  Saved
> {
  getNamed(externalId: string, { signal }: CallOptions = {}): Promise<Item> {
    return this.transport.json({ method: "GET", path: this.#named(externalId), signal });
  }

  /** Gives it these settings, whatever it had; the same again change nothing. A dry run only compares. */
  put(
    externalId: string,
    body: Create,
    { dryRun, revision, signal }: NamedOptions & { dryRun?: boolean } = {},
  ): Promise<Saved & { changed: boolean }> {
    const headers = matching(revision);
    const query = { dryRun };
    const path = this.#named(externalId);
    return this.transport.json({ method: "PUT", path, query, headers, body, signal });
  }

  deleteNamed(externalId: string, { revision, signal }: NamedOptions = {}): Promise<void> {
    const headers = matching(revision);
    return this.transport.none({
      method: "DELETE",
      path: this.#named(externalId),
      headers,
      signal,
    });
  }

  #named(externalId: string): string {
    return `${this.path}/ext/${encodeURIComponent(externalId)}`;
  }
}

const matching = (revision: number | undefined): Record<string, string> =>
  revision === undefined ? {} : { "If-Match": `"${revision}"` };

/** Things whose earlier settings are kept. */
export class RevisedRecords<
  Name extends string,
  Item,
  Create,
  Update,
  Revision,
  Saved = Item,
> extends NamedRecords<Name, Item, Create, Update, Saved> {
  /** Returns a page of the settings as they are and as they were, newest first. */
  revisions(
    id: string,
    query: PageQuery = {},
    { signal }: CallOptions = {},
  ): Promise<Page<"revisions", Revision>> {
    const path = this.at(id, "/revisions");
    return this.transport.json({ method: "GET", path, query: { ...query }, signal });
  }

  /** Returns the settings at one revision. */
  revision(id: string, revision: number, { signal }: CallOptions = {}): Promise<Revision> {
    const path = this.at(id, `/revisions/${revision}`);
    return this.transport.json({ method: "GET", path, signal });
  }

  /** Makes a new revision with the settings of an earlier one. */
  restore(id: string, revision: number, { signal }: CallOptions = {}): Promise<Saved> {
    const path = this.at(id, `/revisions/${revision}/restore`);
    return this.transport.json({ method: "POST", path, signal });
  }
}

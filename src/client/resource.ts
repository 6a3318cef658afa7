import type { UsageBucket } from "../contract/usage.ts";
import type { CallOptions, Transport } from "./transport.ts";

/** A page of a list: `cursor` is the previous page's `nextCursor`. */
export interface PageQuery {
  limit?: number;
  cursor?: string;
}

/** A page: the items in the field of their name, and the cursor of the next page. */
export type Page<Name extends string, Item> = Record<Name, Item[]> & { nextCursor: string | null };

/** Iterates over the items of all pages, which it reads on demand; `name` is the field that has them. */
export async function* eachItem<Name extends string, Item>(
  name: Name,
  read: (place: PageQuery) => Promise<Page<Name, Item>>,
): AsyncGenerator<Item, void, void> {
  for (let place: PageQuery = {}; ; ) {
    const page = await read(place);
    yield* page[name];
    if (page.nextCursor === null) return;
    place = { cursor: page.nextCursor };
  }
}

/** A range of whole UTC hours or days (default: the last 24 hours or 30 days). */
export interface UsageQuery {
  /** ISO 8601. */
  from?: string;
  to?: string;
  bucket?: UsageBucket;
}

/** The arguments after an id: a body whose fields are all optional can be left out. */
type Sent<Body> =
  Record<never, never> extends Body
    ? [body?: Body, options?: CallOptions]
    : [body: Body, options?: CallOptions];

/** Things of the API under one path, with what can be read of one of them and done to it. */
export class Resource {
  protected readonly transport: Transport;
  protected readonly path: string;

  constructor(transport: Transport, path: string) {
    this.transport = transport;
    this.path = path;
  }

  /** Returns the path of one of them, or of something of it. */
  protected at(id: string, rest = ""): string {
    return `${this.path}/${encodeURIComponent(id)}${rest}`;
  }

  /** Makes a call that reads something at a path of its own. */
  protected finds<Reply, Query extends object = object>(path: string) {
    return (query?: Query, options?: CallOptions) =>
      this.transport.get<Reply>(path, query, options);
  }

  /** Makes a call that reads something of one of them. */
  protected reads<Reply>(rest: string) {
    return (id: string, options?: CallOptions) =>
      this.transport.get<Reply>(this.at(id, rest), {}, options);
  }

  /** Makes a call that reads a part of something, such as a page. */
  protected asks<Reply, Query extends object = PageQuery>(rest: string) {
    return (id: string, query?: Query, options?: CallOptions) =>
      this.transport.get<Reply>(this.at(id, rest), query, options);
  }

  /** Makes a call that acts on one of them. */
  protected acts<Reply>(rest: string) {
    return (id: string, options?: CallOptions) =>
      this.transport.post<Reply>(this.at(id, rest), undefined, options);
  }

  /** Makes a call that sends one of them a body. */
  protected sends<Body extends object, Reply>(rest: string) {
    return (id: string, ...[body, options]: Sent<Body>) =>
      this.transport.post<Reply>(this.at(id, rest), body ?? {}, options);
  }
}

/** Things that the service lists, newest first, by a filter. */
export class Filtered<Name extends string, Item, Filter> extends Resource {
  readonly #name: Name;

  /** `name` is the field of a page that has the items. */
  constructor(transport: Transport, path: string, name: Name) {
    super(transport, path);
    this.#name = name;
  }

  list(query: Partial<Filter> & PageQuery = {}, options?: CallOptions): Promise<Page<Name, Item>> {
    return this.transport.get(this.path, query, options);
  }

  /** Iterates over all of a filter, newest first, page by page. */
  all(filter: Partial<Filter> = {}, options: CallOptions = {}): AsyncGenerator<Item, void, void> {
    return eachItem(this.#name, (place) => this.list({ ...filter, ...place, limit: 100 }, options));
  }
}

/** Things that are listed without a filter. */
export class List<Name extends string, Item> extends Filtered<Name, Item, object> {
  /** Iterates over all of them, newest first, page by page. */
  override all(options: CallOptions = {}) {
    return super.all({}, options);
  }
}

/** Things that are created and deleted. */
export class Collection<Name extends string, Item, Create, Created = Item> extends List<
  Name,
  Item
> {
  create(body: Create, options?: CallOptions): Promise<Created> {
    return this.transport.post(this.path, body, options);
  }

  delete(id: string, { signal }: CallOptions = {}): Promise<void> {
    return this.transport.delete(this.at(id), { signal });
  }
}

/** Things whose settings are read and changed one by one. */
export class Records<Name extends string, Item, Create, Update, Saved = Item> extends Collection<
  Name,
  Item,
  Create,
  Saved
> {
  get(id: string, options?: CallOptions): Promise<Item> {
    return this.transport.get(this.at(id), {}, options);
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
  getNamed(externalId: string, options?: CallOptions): Promise<Item> {
    return this.transport.get(this.#named(externalId), {}, options);
  }

  /** Gives it these settings, whatever it had; the same again change nothing. A dry run only compares. */
  put(
    externalId: string,
    body: Create,
    { dryRun, revision, signal }: NamedOptions & { dryRun?: boolean } = {},
  ): Promise<Saved & { changed: boolean }> {
    const path = this.#named(externalId);
    const headers = matching(revision);
    return this.transport.json({ method: "PUT", path, query: { dryRun }, headers, body, signal });
  }

  deleteNamed(externalId: string, { revision, signal }: NamedOptions = {}): Promise<void> {
    return this.transport.delete(this.#named(externalId), { headers: matching(revision), signal });
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
  readonly revisions = this.asks<Page<"revisions", Revision>>("/revisions");

  /** Makes a new revision with the settings of an earlier one. */
  restore(id: string, revision: number, options?: CallOptions): Promise<Saved> {
    return this.transport.post(this.at(id, `/revisions/${revision}/restore`), undefined, options);
  }
}

import { Crowd } from "../durable/crowd.ts";
import { migrate } from "../durable/schema.ts";
import { Book } from "./book.ts";
import { Gate } from "./gate.ts";
import { Keyring } from "./keyring.ts";
import { McpServers } from "./mcp-servers.ts";
import { Meter } from "./meter.ts";
import { Projector } from "./projector.ts";
import { ACCOUNT_SCHEMA } from "./schema.ts";
import { Starter } from "./starter.ts";
import { UnconfirmedRows } from "./unconfirmed.ts";
import { UnstartedSeeds } from "./unstarted.ts";

/** What the object of an account is made of, once the account exists. */
export interface Parts {
  book: Book;
  keyring: Keyring;
  gate: Gate;
  mcpServers: McpServers;
  unconfirmed: UnconfirmedRows;
  projector: Projector;
  unstarted: UnstartedSeeds;
  starter: Starter;
  /** Of what is accepted. */
  crowd: Crowd;
}

/** The parts over an account's storage, its tables brought to the newest version. */
export function assembleParts(storage: DurableObjectStorage, env: CloudflareEnv): Parts {
  migrate(storage, ACCOUNT_SCHEMA);
  const { sql } = storage;
  const keyring = new Keyring(sql);
  const unconfirmed = new UnconfirmedRows(sql);
  const unstarted = new UnstartedSeeds(storage);
  const crowd = new Crowd();
  return {
    book: new Book(storage, unstarted),
    keyring,
    gate: new Gate(keyring, new Meter(sql, Date.now())),
    mcpServers: new McpServers(sql),
    unconfirmed,
    projector: new Projector(env.DB, unconfirmed),
    unstarted,
    starter: new Starter(env, unstarted, crowd),
    crowd,
  };
}

/** The service that is checked, and with what. */
export interface Target {
  /** Its origin. */
  url: string;
  credential: Credential;
  callback: CallbackAddress | null;
}

/** Who signs in: a key of an account, or an operator who opens one for this. */
export type Credential = { apiKey: string } | { adminToken: string };

/** Where a callback is to go. */
export interface CallbackAddress {
  /** An address that the service can reach. */
  url: string;
  /** The port of this machine to which it leads; null where the receiver is somebody else's. */
  port: number | null;
}

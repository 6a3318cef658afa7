import { DurableObject } from "cloudflare:workers";
import type { AccountApi } from "../contract/account.ts";

export abstract class Account extends DurableObject<CloudflareEnv> implements AccountApi {
  abstract authorize: AccountApi["authorize"];
  abstract accept: AccountApi["accept"];
  abstract list: AccountApi["list"];
  abstract credits: AccountApi["credits"];
  abstract report: AccountApi["report"];
  abstract createKey: AccountApi["createKey"];
  abstract listKeys: AccountApi["listKeys"];
  abstract revokeKey: AccountApi["revokeKey"];
  abstract rotateKey: AccountApi["rotateKey"];
  abstract create: AccountApi["create"];
  abstract grant: AccountApi["grant"];
  abstract configure: AccountApi["configure"];
  abstract overview: AccountApi["overview"];
}

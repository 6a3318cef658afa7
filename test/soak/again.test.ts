import { describeAgain } from "../fault/support/again.ts";
import { KILLS, TIMEOUT_MS } from "./size.ts";

describeAgain(KILLS, TIMEOUT_MS);

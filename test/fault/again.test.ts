import { describeAgain } from "./support/again.ts";

describeAgain(1, 300_000);

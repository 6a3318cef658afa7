import { describeAgain } from "./support/again.ts";

describeAgain(2, 120_000);

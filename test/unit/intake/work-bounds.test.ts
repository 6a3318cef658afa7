import { it } from "vitest";
import { COSTLY, lookAt } from "../../support/work-bounds.ts";

// What takes more than linear time ends in minutes or never: the soak measures what each check takes.
it.each(COSTLY)("the checks of a request end for %s", (_, sent, rules) => lookAt(sent, rules));

import * as z from "zod";
import { describeIssue } from "../../src/lib/zod-messages.ts";

// Miniflare and wrangler bundle a zod that shares its settings with ours and resets them when it loads.
// Before each file they are as src/http/problem.ts leaves them.
z.config({ localeError: describeIssue });

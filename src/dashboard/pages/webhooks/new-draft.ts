import {
  type CreateEndpointBody,
  createEndpointBody,
  DEFAULT_TOKEN_HEADER,
} from "../../../contract/inbound/endpoint.ts";
import type { Made } from "../../forms/attempt.ts";
import { faultsByIssues } from "../../forms/faults.ts";
import type { Posted } from "../../forms/posted.ts";
import { type CustomHmac, customBody, postedHmac, STANDARD_HMAC } from "./hmac-fields.tsx";
import type { Sender } from "./senders/sender.ts";

/** A new endpoint as its form has it. */
export interface EndpointDraft {
  name: string;
  workflowId: string;
  path: string;
  /** Addresses and ranges, one in a line. */
  ipAllowlist: string;
  post: boolean;
  get: boolean;
  tokenHeader: string;
  custom: CustomHmac;
}

/** An endpoint that is about to be made for a sender. */
export function blankDraft(sender: Sender, workflowId: string): EndpointDraft {
  return {
    name: sender.auth.kind === "preset" ? sender.name : "",
    workflowId,
    path: "",
    ipAllowlist: "",
    post: true,
    get: false,
    tokenHeader: DEFAULT_TOKEN_HEADER,
    custom: STANDARD_HMAC,
  };
}

export function postedDraft(posted: Posted): EndpointDraft {
  return {
    name: posted.line("name"),
    workflowId: posted.line("workflowId"),
    path: posted.line("path"),
    ipAllowlist: posted.text("auth.ipAllowlist"),
    post: posted.isOn("methods.POST"),
    get: posted.isOn("methods.GET"),
    tokenHeader: posted.line("auth.token.header"),
    custom: postedHmac(posted),
  };
}

/** Whether a sender of this kind may use GET as well; providers with a preset send by POST. */
export function choosesMethods({ auth }: Sender): boolean {
  return auth.kind !== "preset";
}

/** The body that makes the endpoint; `secret` is empty for one that the service makes. */
export function endpointBody(
  sender: Sender,
  draft: EndpointDraft,
  secret: string,
): Made<CreateEndpointBody> {
  const addresses = linesOf(draft.ipAllowlist);
  const parsed = createEndpointBody.safeParse({
    name: draft.name,
    workflowId: draft.workflowId === "" ? null : draft.workflowId,
    path: draft.path === "" ? null : draft.path,
    methods: choosesMethods(sender) ? methodsOf(draft) : ["POST"],
    auth: {
      ...authOf(sender, draft, secret === "" ? {} : { secret }),
      ...(addresses.length > 0 && { ipAllowlist: addresses }),
    },
  });
  if (parsed.success) return { ok: true, body: parsed.data };
  return { ok: false, faults: faultsByIssues(parsed.error.issues) };
}

function authOf({ auth }: Sender, draft: EndpointDraft, secret: { secret?: string }) {
  switch (auth.kind) {
    case "preset":
      return { hmac: { preset: auth.preset, ...secret } };
    case "custom":
      return { hmac: { ...customBody(draft.custom), ...secret } };
    case "token": {
      const { tokenHeader: header } = draft;
      return {
        token: { ...(header !== "" && header !== DEFAULT_TOKEN_HEADER && { header }), ...secret },
      };
    }
    case "open":
      return {};
  }
}

/** The methods whose boxes are ticked. */
export function methodsOf({ post, get }: Pick<EndpointDraft, "post" | "get">): string[] {
  return [...(post ? ["POST"] : []), ...(get ? ["GET"] : [])];
}

/** The lines of a text that hold anything; commas end lines too. */
export function linesOf(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

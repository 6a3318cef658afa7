import type * as z from "zod";
import type { Fault } from "../../contract/inbound/payload.ts";
import {
  type customScheme,
  type SignatureScheme,
  TEMPLATE_PARTS,
} from "../../contract/inbound/signature.ts";
import { isPart, partsOf } from "./template.ts";

/** A caller's own scheme with its defaults. The default prefix names the algorithm and may be missing. */
export function customSchemeOf(custom: z.output<typeof customScheme>): SignatureScheme {
  const { header, form, encoding, algorithm, template, secretEncoding } = custom;
  const standard = { plain: `${algorithm}=`, list: "v1,", pairs: "v1" }[form];
  return {
    header,
    form,
    prefix: custom.prefix ?? standard,
    prefixOptional: form === "plain" && custom.prefix === undefined,
    encoding,
    algorithm,
    template,
    timestampHeader: custom.timestampHeader ?? null,
    timestampPair: custom.timestampPair ?? null,
    idHeader: custom.idHeader ?? null,
    aliases: [],
    secretEncoding,
  };
}

/** Headers that proxies set or change, so that no sender can sign with them. */
const TRANSPORT =
  /^(?:host|connection|content-(?:length|type|encoding)|transfer-encoding|cf-.*|x-forwarded-.*|x-real-ip)$/i;

/** What keeps a scheme from ever being verified, or from covering the payload; null for nothing. */
export function schemeFault(scheme: SignatureScheme): Fault | null {
  return templateFault(scheme) ?? formFault(scheme) ?? headerFault(scheme);
}

function templateFault(scheme: SignatureScheme): Fault | null {
  const parts = partsOf(scheme.template);
  const has = (part: string): boolean => parts.includes(part);
  const unknown = parts.find((part) => !isPart(part));
  if (unknown !== undefined) {
    return fault(
      "template",
      "template_part",
      `names {${unknown}}; the parts are ${TEMPLATE_PARTS.join(", ")}`,
    );
  }
  if (new Set(parts).size < parts.length) {
    return fault("template", "template_part", "names a part twice");
  }
  if (has("sortedParams") && !has("url")) {
    return fault("template", "template_cover", "must contain {url} beside {sortedParams}");
  }
  if (!has("body") && !has("sortedParams")) {
    return fault("template", "template_cover", "must contain {body}, or any body would be taken");
  }
  const timed = scheme.timestampHeader !== null || scheme.timestampPair !== null;
  if (has("timestamp") !== timed) {
    return has("timestamp")
      ? fault(
          "template",
          "template_source",
          "names {timestamp}, which needs timestampHeader or timestampPair",
        )
      : fault("template", "template_unused", "must contain {timestamp}, or the time is not signed");
  }
  if (has("id") !== (scheme.idHeader !== null)) {
    return has("id")
      ? fault("template", "template_source", "names {id}, which needs idHeader")
      : fault(
          "template",
          "template_unused",
          "must contain {id}, or what idHeader holds is not signed",
        );
  }
  return null;
}

function formFault({ form, prefix, ...scheme }: SignatureScheme): Fault | null {
  if (scheme.timestampPair !== null) {
    if (form !== "pairs") return fault("timestampPair", "form", "needs the form pairs");
    if (scheme.timestampHeader !== null) {
      return fault("timestampPair", "form", "cannot be set beside timestampHeader");
    }
    if (scheme.timestampPair === prefix) {
      return fault("timestampPair", "form", "is the name of the signature's pair");
    }
  }
  if (form === "pairs" && !/^[^=,\s]+$/.test(prefix)) {
    return fault("prefix", "form", "must name the pair that holds the signature, as v1");
  }
  if (/[^\x21-\x7e ]/.test(prefix) || (form === "list" && prefix.includes(" "))) {
    return fault("prefix", "form", "has characters that the header cannot hold there");
  }
  return null;
}

function headerFault(scheme: SignatureScheme): Fault | null {
  const named = (["header", "timestampHeader", "idHeader"] as const).flatMap((path) => {
    const name = scheme[path];
    return name === null ? [] : [{ path, name: name.toLowerCase() }];
  });
  for (const [at, { path, name }] of named.entries()) {
    if (TRANSPORT.test(name))
      return fault(path, "header", `${name} is written by the transport, not by the sender`);
    if (named.slice(0, at).some((other) => other.name === name)) {
      return fault(path, "header", "is the header of another part as well");
    }
  }
  return null;
}

const fault = (field: string, rule: string, message: string): Fault => ({
  path: `auth.hmac.${field}`,
  rule,
  message,
});

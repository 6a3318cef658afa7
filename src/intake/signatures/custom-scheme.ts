import type * as z from "zod";
import type { Fault } from "../../contract/webhooks/payload.ts";
import {
  type customKeyScheme,
  type customScheme,
  type KeyScheme,
  type SignatureScheme,
  type SignedForm,
  TEMPLATE_PARTS,
} from "../../contract/webhooks/signature.ts";
import { isField, isPart, partsOf } from "./signed-message.ts";

/** Completes a custom scheme. The default prefix names the algorithm and may be missing. */
export function customSchemeOf(custom: z.output<typeof customScheme>): SignatureScheme {
  const { form, algorithm, secretEncoding, bodyClaim } = custom;
  const standard = { plain: `${algorithm}=`, list: "v1,", items: "", pairs: "v1", jwt: "" }[form];
  return {
    ...completed(custom, standard),
    prefixOptional: form === "plain" && custom.prefix === undefined,
    algorithm,
    secretEncoding,
    ...(bodyClaim !== undefined && { bodyClaim }),
  };
}

type CustomKeyScheme = z.output<z.ZodObject<(typeof customKeyScheme)["signed"]>>;

/** Completes a custom scheme with a public key. Without a prefix the signature is bare. */
export function customKeySchemeOf(custom: CustomKeyScheme): KeyScheme {
  const standard = { plain: "", list: "v1a,", items: "", pairs: "v1a" }[custom.form];
  return { ...completed(custom, standard), algorithm: custom.algorithm };
}

type CustomForm = Omit<CustomKeyScheme, "algorithm" | "form"> & Pick<SignedForm, "form">;

/** Completes what both have in common, with the standard prefix. */
function completed(custom: CustomForm, standard: string): SignedForm {
  const { header, form, encoding, template, in: part, signedHeaders } = custom;
  return {
    header,
    form,
    prefix: custom.prefix ?? standard,
    prefixOptional: false,
    encoding,
    template,
    timestampHeader: custom.timestampHeader ?? null,
    timestampPair: custom.timestampPair ?? null,
    idHeader: custom.idHeader ?? null,
    aliases: [],
    ...(part !== undefined && { in: part }),
    ...(signedHeaders !== undefined && { signedHeaders }),
  };
}

/** Headers that proxies set or change: no sender can sign with them. */
const TRANSPORT =
  /^(?:host|connection|content-(?:length|type|encoding)|transfer-encoding|cf-.*|x-forwarded-.*|x-real-ip)$/i;

/** Returns an error that keeps a scheme from being verified or from covering the payload, or null. */
export function schemeFault(scheme: SignedForm, setting = "auth.hmac"): Fault | null {
  const found = templateFault(scheme) ?? formFault(scheme) ?? headerFault(scheme);
  return found && { ...found, path: `${setting}.${found.path}` };
}

function templateFault(scheme: SignedForm): Fault | null {
  const parts = partsOf(scheme.template);
  const has = (part: string): boolean => parts.includes(part);
  const unknown = parts.find((part) => !isPart(part) && !isField(part));
  if (unknown !== undefined) {
    return fault(
      "template",
      "template_part",
      `has the unknown part {${unknown}}; use ${TEMPLATE_PARTS.join(", ")} or body.<path>`,
    );
  }
  if (new Set(parts).size < parts.length) {
    return fault("template", "template_part", "must not repeat a part");
  }
  if (has("sortedParams") && !has("url")) {
    return fault("template", "template_cover", "must contain {url} beside {sortedParams}");
  }
  if (has("body") && scheme.in === "body") {
    return fault("template", "template_cover", "must name fields, since {body} has the signature");
  }
  if (!["body", "sortedParams", "sortedUrl"].some(has) && !parts.some(isField)) {
    return fault(
      "template",
      "template_cover",
      "must contain {body}, or the signature fits any body",
    );
  }
  return sourceFault(scheme, parts);
}

/** Returns the fault of a signed value without a place, or of a place whose value is not signed. */
function sourceFault(scheme: SignedForm, parts: string[]): Fault | null {
  const isListed = scheme.signedHeaders !== undefined;
  const isTimed = scheme.timestampHeader !== null || scheme.timestampPair !== null;
  const sources = [
    ["timestamp", isTimed, "timestampHeader or timestampPair", scheme.form === "items"],
    ["id", scheme.idHeader !== null, "idHeader", false],
  ] as const;
  for (const [part, hasSource, setting, isImplied] of sources) {
    const isSigned = parts.includes(part);
    if (isSigned && !hasSource && !isImplied) {
      return fault("template", "template_source", `has {${part}}, which needs ${setting}`);
    }
    if (hasSource && !isSigned && !isListed) {
      const value = part === "timestamp" ? "the time" : "the value of idHeader";
      const message = `must contain {${part}}, or ${value} is not signed`;
      return fault("template", "template_unused", message);
    }
  }
  const isUsed = parts.includes("headers");
  if (isListed === isUsed) return null;
  return isUsed
    ? fault("template", "template_source", "has {headers}, which needs signedHeaders")
    : fault("template", "template_unused", "must contain {headers}, or signedHeaders has no use");
}

function formFault({ form, prefix, ...scheme }: SignedForm): Fault | null {
  const { header: list, pair } = scheme.signedHeaders ?? { header: "" };
  if ((list === undefined) === (pair === undefined)) {
    return fault("signedHeaders", "form", "must have either header or pair");
  }
  if (scheme.in === "body" && scheme.signedHeaders !== undefined) {
    return fault("signedHeaders", "form", "must be left out with a signature in the body");
  }
  if (pair !== undefined && form !== "pairs") {
    return fault("signedHeaders.pair", "form", "needs the form pairs");
  }
  if (form === "jwt" && "algorithm" in scheme && scheme.algorithm === "sha1") {
    return fault("algorithm", "form", "must be sha256, sha384 or sha512 for a JSON Web Token");
  }
  if (scheme.timestampPair !== null) {
    if (form !== "pairs") return fault("timestampPair", "form", "needs the form pairs");
    if (scheme.timestampHeader !== null) {
      return fault("timestampPair", "form", "must not be set together with timestampHeader");
    }
    if (scheme.timestampPair === prefix) {
      return fault("timestampPair", "form", "must differ from the name of the signature's pair");
    }
  }
  if (form === "pairs" && !/^[^=,\s]+$/.test(prefix)) {
    return fault("prefix", "form", "must name the pair of the signature, such as v1");
  }
  if (/[^\x21-\x7e ]/.test(prefix) || (form === "list" && prefix.includes(" "))) {
    return fault("prefix", "form", "has characters that the header cannot contain there");
  }
  return null;
}

function headerFault(scheme: SignedForm): Fault | null {
  const named = (["header", "timestampHeader", "idHeader"] as const).flatMap((path) => {
    const name = scheme[path];
    return name === null ? [] : [{ path, name: name.toLowerCase() }];
  });
  for (const [at, { path, name }] of named.entries()) {
    if (scheme.in !== "body" && TRANSPORT.test(name))
      return fault(path, "header", `must be a header of the sender; ${name} is set in transit`);
    if (named.slice(0, at).some((other) => other.name === name)) {
      return fault(path, "header", "must not name the same header as another part");
    }
  }
  return null;
}

const fault = (field: string, rule: string, message: string): Fault => ({
  path: field,
  rule,
  message,
});

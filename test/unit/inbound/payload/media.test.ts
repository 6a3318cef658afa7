import { expect, it } from "vitest";
import { mediaOf } from "../../../../src/inbound/payload/parse.ts";

it.each([
  [null, "json"],
  ["", "json"],
  ["application/json", "json"],
  ["Application/JSON; charset=UTF-8", "json"],
  ['application/json; charset="utf-8"', "json"],
  ["application/cloudevents+json", "json"],
  ["application/vnd.github.v3+json;charset=utf8", "json"],
  ["application/x-www-form-urlencoded", "form"],
  ["multipart/form-data; boundary=x", "multipart"],
  ["text/plain", "text"],
  ["text/csv; charset=us-ascii", "text"],
])("reads %j as %s", (contentType, media) => {
  expect(mediaOf(contentType)).toBe(media);
});

it.each([
  "application/json; charset=latin1",
  "text/plain; charset=iso-8859-1",
  "text/plain; format=flowed; charset=utf-16",
  "application/xml",
  "application/octet-stream",
  "application/+json",
  "multipart/mixed; boundary=x",
  "image/png",
  "json",
  "text/",
  "application/json application/json",
  "*/*extra/",
])("does not support %j", (contentType) => {
  expect(mediaOf(contentType)).toBeNull();
});

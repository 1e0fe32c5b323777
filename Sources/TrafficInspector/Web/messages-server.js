// What the server says by the name of a phrase: the audit's sentences, and what it refuses. Part of the message table.
import { serverEnglish } from "./server-english.js";

/** @type {Record<string, string>} */
export const serverMessages = {
  ...serverEnglish,

  "audit.share.First": "All {of} calls",
  "audit.share.Only": "Its only call",
  "audit.share.only": "its only call",
  "audit.share.Both": "Both calls",
  "audit.share.both": "both calls",
  "audit.share.all": "all {of} calls",
  "audit.share.some": "{n} of {of} calls",
  "audit.kinds.one": "{name}: {n}",
  "audit.kinds.between": ", ",
  "audit.kind.failed": "failed",
  "audit.kind.timed out": "timed out",
  "audit.kind.one redirect after the other": "one redirect after the other",
  "audit.kind.from http to https": "from http to https",
  "audit.kind.for a trailing slash": "for a trailing slash",
  "audit.kind.permanent": "permanent",
  "audit.kind.temporary": "temporary",
  "audit.kind.a network that wants a login": "a network that wants a login",
  "audit.kind.the same version with other bytes": "the same version with other bytes",
  "audit.kind.other bytes between two equal answers": "other bytes between two equal answers",
  "audit.kind.a proxy that says that it changed the content": "a proxy that says that it changed the content",
  "audit.kind.a script that the page did not have": "a script that the page did not have",
  "audit.kind.a script from": "a script from {rest}",
  "audit.kind.redirected to": "redirected to {rest}",
  "audit.kind.HTML in place of": "HTML in place of {rest}",
  "audit.content.text": "text",
  "audit.content.form data": "form data",
  "audit.content.an image": "an image",
  "audit.content.audio or video": "audio or video",
  "audit.content.other content": "other content",
  "audit.content.content without a type": "content without a type",
  "audit.content.no content": "no content",
};

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import "./browser.js";

const { messages, named, speak, t } = await import("../../Sources/TrafficInspector/Web/messages.js");
const { chinese } = await import("../../Sources/TrafficInspector/Web/chinese.js");

test("every text exists in both languages, with the same values", () => {
  const values = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1].toLowerCase()).sort();
  for (const [key, english] of Object.entries(messages)) {
    assert.ok(english.trim() && chinese[key]?.trim(), key);
    assert.deepEqual([...new Set(values(chinese[key]))], [...new Set(values(english))], key);
  }
  for (const key of Object.keys(chinese)) {
    // The server writes these in English: PhraseTests.swift.
    assert.ok(Object.hasOwn(messages, key) || /^(audit\.say|complete\.say|refusal)\./.test(key), `only in Chinese: ${key}`);
  }
});

test("every text that the page asks for exists, and the page asks for every text", () => {
  const web = new URL("../../Sources/TrafficInspector/Web/", import.meta.url);
  const sources = readdirSync(web).filter((name) => name.endsWith(".js") && !/^(messages|chinese)/.test(name))
    .map((name) => readFileSync(new URL(name, web), "utf8")).join("\n");
  for (const [, ...keys] of sources.matchAll(/\bt\(\s*(?:\w+ \? )?"([^"]+)"(?: : "([^"]+)")?/g)) {
    for (const key of keys) if (key) assert.ok(Object.hasOwn(messages, key), `no text: ${key}`);
  }
  const literals = new Set([...sources.matchAll(/"([\w.]+)"/g)].map((match) => match[1]));
  // Keys that are put together of a stem and the word of a closed set.
  const stems = [...sources.matchAll(/t\(`([\w.]+)\.\$\{/g)].map((match) => match[1]).concat(
    "state", "evidence", "evidence.short", "compare", "audit.say", "audit.kind", "audit.content", "refusal");
  for (const key of Object.keys(messages)) {
    assert.ok(literals.has(key) || stems.some((stem) => key.startsWith(`${stem}.`)), `not used: ${key}`);
  }
});

test("a key that has no text shows itself, and a value that has none its place", () => {
  assert.equal(t("no.such.key"), "no.such.key");
  assert.equal(t("toString"), "toString");
  assert.equal(named("evidence", "constructor"), "constructor");
});

test("the language changes with its words", async () => {
  await speak("zh");
  assert.equal(t("unknown"), chinese.unknown);
  await speak("en");
  assert.equal(t("unknown"), messages.unknown);
});

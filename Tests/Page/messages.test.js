import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";

const { messages, named, speak, t } = await import("../../Sources/TrafficInspector/Web/messages.js");

test("every text exists in both languages, with the same values", () => {
  const values = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1].toLowerCase()).sort();
  for (const [key, [english, chinese]] of Object.entries(messages)) {
    assert.ok(english && chinese, key);
    if (english === key) continue; // the server's, which it writes in English: PhraseTests.swift
    assert.deepEqual([...new Set(values(chinese))], [...new Set(values(english))], key);
  }
});

test("a key that has no text shows itself, and a value that has none its place", () => {
  assert.equal(t("no.such.key"), "no.such.key");
  assert.equal(t("toString"), "toString");
  assert.equal(named("evidence", "constructor"), "constructor");
});

test("the language changes at once", () => {
  const [english, chinese] = messages.unknown;
  speak("zh");
  assert.equal(t("unknown"), chinese);
  speak("en");
  assert.equal(t("unknown"), english);
});

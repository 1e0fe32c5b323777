import assert from "node:assert/strict";
import { test } from "node:test";
import { visit } from "./browser.js";

const { filter, go, hashOf, listAddress, place, watch } = await import("../../Sources/TrafficInspector/Web/place.js");

test("an address gives back the place that it was made of", () => {
  const places = [
    { page: "list", filters: {}, sort: "-start", id: null, tab: "overview" },
    { page: "apis", filters: { host: "a&b=c", text: "ü #?%" }, sort: "down", id: null, tab: "overview" },
    { page: "list", filters: { status: "4xx", since: "1", until: "2" }, sort: "-up", id: 9, tab: "headers" },
  ];
  for (const one of places) {
    visit(hashOf(one));
    assert.deepEqual(place(), one);
  }
});

test("an address without a page leads to the overview", () => {
  for (const hash of ["", "#", "#/"]) {
    visit(hash);
    assert.equal(place().page, "overview", hash);
  }
});

test("an address of somebody else's making leads to the list", () => {
  for (const hash of ["#/nowhere", "#/list?id=-1", "#/list?id=1e99", "#/list?id=x", "#/list?unknown=1", "#//list?"]) {
    visit(hash);
    assert.deepEqual({ ...place(), page: "list" }, { page: "list", filters: {}, sort: "-start", id: null, tab: "overview" }, hash);
  }
});

test("a filter that is emptied goes, and closes the exchange", () => {
  visit("#/list?host=a&id=3");
  filter({ host: "" });
  assert.deepEqual(place(), { page: "list", filters: {}, sort: "-start", id: null, tab: "overview" });
});

test("links to the list keep the range of time", () => {
  visit("#/apis?host=a&since=5&until=6");
  assert.equal(listAddress({ api: "/x" }), "#/list?api=%2Fx&since=5&until=6");
  visit("#/apis?direction=served");
  assert.equal(listAddress({ api: "/x" }), "#/list?api=%2Fx&direction=served");
});

test("watchers hear of a place once", () => {
  visit("#/list");
  const seen = [];
  watch((now) => seen.push(now.page));
  go({ page: "map" });
  go({ page: "map" });
  assert.deepEqual(seen, ["map"]);
});

test("a comparison is part of the address of its page alone", () => {
  const one = { page: "compare", filters: {}, sort: "-start", id: null, tab: "overview", comparison: { a: "1", b: "2" } };
  assert.equal(hashOf(one), "#/compare?a=1&b=2");
  assert.equal(hashOf({ ...one, page: "list" }), "#/list");
  visit(hashOf(one));
  assert.deepEqual(place(), one);
  visit("#/list?a=1&b=2");
  assert.equal(place().comparison, undefined);
});

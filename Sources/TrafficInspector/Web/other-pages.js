// The pages beside the list. They come after the first rows, as a script of their own (PageBundle.swift).
import { makeAPIs } from "./apis.js";
import { makeCompare } from "./compare.js";
import { makeConnections } from "./connections.js";
import { makeAudit } from "./findings.js";
import { makeOverview } from "./overview.js";
import { makeTimeline } from "./timeline.js";
import { makeMap } from "./treemap.js";

/**
 * @param {() => void} chooseFile
 * @param {() => import("./dom.js").Child[]} nothing the text for a store without exchanges
 * @returns {Record<string, import("./types.d.ts").View & { element: HTMLElement }>}
 */
export function makeOtherPages(chooseFile, nothing) {
  return {
    overview: makeOverview(nothing), apis: makeAPIs(), map: makeMap(), timeline: makeTimeline(), audit: makeAudit(),
    compare: makeCompare(chooseFile), connections: makeConnections(),
  };
}

// The shapes of docs/inspector-api.md; for the type checker alone, and not served.

export type State = "running" | "completed" | "failed" | "cancelled" | "timedOut" | "abandoned" | "incomplete";

/** Whether the metered program sent the request or got it. */
export type Direction = "called" | "served";

export interface Row {
  id: number;
  task: number;
  resendCount: number;
  start: number;
  sent: number | null;
  duration: number | null;
  /** Name, offset and duration. */
  phases: [string, number, number][];
  wait: number | null;
  receive: number | null;
  state: State;
  method: string;
  scheme: string;
  host: string;
  port: number;
  /** The host, with the port unless it is the scheme's default. */
  authority: string;
  url: string;
  path: string;
  query: string | null;
  template: string;
  status: number | null;
  type: string | null;
  up: number | null;
  down: number | null;
  evidence: string;
  failed: boolean;
  error: string | null;
  process: string;
  pid: number;
  connection: number | null;
  direction: Direction;
}

export interface Page {
  exchanges: Row[];
  total: number;
  offset: number;
  cursor: string | null;
  view: string;
  truncated: boolean;
  index?: number | null;
}

export interface Overview {
  name: string;
  file: string | null;
  live: boolean;
  paused: boolean;
  can: { pause: boolean; clear: boolean; compare: boolean; open: boolean; copy: boolean };
  /** Devices that ask to use the proxy. */
  asking: string[];
  /** Changes with the marks. */
  marks: number;
  exchanges: number;
  running: number;
  firstSeen: number | null;
  lastSeen: number | null;
  losses: { reason: string; count: number }[];
  version: string;
  generation: number;
  directions: Direction[];
}

export type Part = "startLine" | "fields" | "cookies" | "interim" | "body" | "framing";
export type Parts = Record<Part, number | null>;

export interface Message extends Parts {
  total: number | null;
  evidence: string;
  margin?: number;
  evidenceByPart?: Record<Part, string>;
  fieldLines?: string[];
}

export interface ResponseMessage extends Message {
  status: number;
  reason: string | null;
  httpVersion: string | null;
  contentType: string | null;
  contentEncoding: string | null;
  decodedBody: number | null;
}

export interface Exchange {
  exchange: number;
  task: number;
  resendCount: number;
  pid: number;
  process: string;
  startedAt: string;
  method: string;
  url: string;
  host: string;
  port: number;
  authority: string;
  path: string;
  query: string | null;
  template: string;
  httpVersion: string | null;
  request: Message;
  response: ResponseMessage | null;
  outcome: string | null;
  error: string | null;
  errorCode: number | null;
  errorDomain: string | null;
  timings: Record<string, number | null>;
  connection: number | null;
  reused: boolean | null;
  remoteAddress: string | null;
  network: Network | null;
  overhead: { up: number; down: number } | null;
  direction: Direction;
  serverLeg?: ServerLeg;
}

/** The way between a proxy and the server, of an exchange whose own members are of the device's. */
export interface ServerLeg {
  startedAt: string;
  request: Message;
  response: (Message & { status: number | null }) | null;
  outcome: string;
  error: string | null;
  timings: Record<string, number | null>;
  connection: number | null;
  reused: boolean;
  remoteAddress: string | null;
  overhead: { up: number; down: number } | null;
}

export interface Body {
  size: number;
  of: number | null;
  coding?: string | null;
  type?: string | null;
}

/** Members of audits and comparisons, shown as far as the page knows them. */
export type Loose = Record<string, any>;

export interface Detail {
  exchange: Exchange;
  row: Row;
  attempts: Row[];
  findings: Loose[];
  bodies: { request: Body | null; response: Body | null };
  curl: string;
  upgrade: Upgrade | null;
}

/** The sums of a group; a member that names it is there if the grouping uses it. */
export interface Group {
  method?: string;
  host?: string;
  template?: string;
  path?: string;
  /** Null if no response came. */
  status?: number | null;
  contentType?: string | null;
  process?: string;
  device?: string;
  knownAs?: string;
  network?: string;
  direction: Direction;
  requests: number;
  responses: number;
  unanswered: number;
  failures: number;
  failureRate: number | null;
  incomplete: number;
  up: number;
  down: number;
  total: number;
  perCall: { calls: number; up: CallWeight; down: CallWeight; total: CallWeight };
  parts: { up: Parts; down: Parts };
  captured: number | null;
  p50: number | null;
  p95: number | null;
  spark: number[];
}

export interface API extends Group {
  method: string;
  host: string;
  template: string;
}

/** The sums of what a filter selects, in one direction. */
export interface Sums {
  direction: Direction;
  requests: number;
  failures: number;
  up: number;
  down: number;
  total: number;
  perCall: API["perCall"];
  p50: number | null;
  p95: number | null;
}

/** Bytes of one call; null where no call was weighed. */
export interface CallWeight {
  p50: number | null;
  p95: number | null;
  max: number | null;
}

export interface Slots {
  from: number;
  slot: number;
  requests: number[];
  failures: number[];
  up: number[];
  down: number[];
}

export interface Connection {
  id: number;
  local: string | null;
  remote: string | null;
  process: string | null;
  pid: number | null;
  opened: number | null;
  closed: number | null;
  payload: Flow | null;
  retransmitted: number | null;
  roundTrip: number | null;
  protocol: string | null;
  tls: { version: string | null; cipher: string | null } | null;
  exchanges: number;
  messages: Flow;
  overhead: Flow | null;
  tlsOverhead: Flow | null;
  http2Overhead: Flow;
  socksOverhead: Flow;
  proxyProtocolOverhead: Flow;
  proxyTLSOverhead: Flow;
  websocketOverhead: Flow;
  websocketPayload: Flow;
  upgraded: Flow;
  afterMessage: Flow;
  unseen: Flow;
  network: Network | null;
  unaccounted: Flow | null;
  evidence: string | null;
  segments: { up: number | null; down: number | null } | null;
  ipBytes: Flow | null;
  websocket: WebSocketCounts | null;
  direction: Direction;
  handshake: Handshake | null;
  /** Milliseconds, of a connection whose messages were not seen. */
  opening: { dns: number | null; connect: number | null; firstByte: number | null } | null;
}

/** What both ends of a connection said in the clear as TLS began. */
export interface Handshake {
  serverName: string | null;
  version: string | null;
  cipher: string | null;
  offered: string[];
  protocol: string | null;
  resumed: boolean | null;
  certificate: {
    subject: string | null; issuer: string | null; notBefore: string | null; notAfter: string | null;
    sha256: string; chainBytes: number | null;
  } | null;
}

/** WebSocket's bytes and frames, in both directions. */
export interface WebSocketCounts {
  frames: Flow;
  controlFrames: Flow;
  messages: Flow;
}

/** What followed the 101 of an exchange on its connection. */
export interface Upgrade {
  bytes: Flow;
  websocketOverhead: Flow;
  websocketPayload: Flow;
  upgraded: Flow;
  websocket: WebSocketCounts | null;
}

/** The network of a connection; null for what the system does not report. */
export interface Network {
  name: string;
  interface: string | null;
  loopback: boolean | null;
  cellular: boolean | null;
  expensive: boolean | null;
  constrained: boolean | null;
  multipath: boolean | null;
  proxied: boolean | null;
  resolution: string | null;
}

/** Bytes in both directions. */
export interface Flow {
  up: number;
  down: number;
}

export type FilterName =
  | "status" | "type" | "method" | "host" | "api" | "path" | "failed" | "slower" | "text"
  | "since" | "until" | "task" | "process" | "connection" | "direction" | "marked";
export type Filters = Partial<Record<FilterName, string>>;

/** Two requests, two APIs, or the earlier file and its range of time. */
export type Comparison = Partial<Record<"a" | "b" | "api.a" | "api.b" | "before" | "before.since" | "before.until", string>>;

export interface Place {
  comparison?: Comparison;
  /** By what the page of sums groups, if not by API. */
  by?: string;
  page: string;
  filters: Filters;
  sort: string;
  id: number | null;
  tab: string;
}

/** A page of the inspector: it is shown, updated with changes, and removed. */
export interface View {
  show(place: Place): void;
  live?(): void;
  /** Says again that there is nothing, for other reasons. */
  notice?(): void;
  leave(): void;
}

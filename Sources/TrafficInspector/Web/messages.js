// Every word of the page, in English and in Simplified Chinese.
import { serverMessages } from "./messages-server.js";

/** @type {Record<string, [english: string, chinese: string]>} */
export const messages = {
  ...serverMessages,

  "page.list": ["Requests", "请求"],
  "page.apis": ["APIs", "接口"],
  "page.map": ["Map", "分布"],
  "page.timeline": ["Timeline", "时间线"],
  "page.audit": ["Audit", "审计"],
  "page.compare": ["Compare", "对比"],
  "page.connections": ["Connections", "连接"],
  "page.connections.short": ["Conns", "连接"],
  "nav": ["Pages", "页面"],
  "nav.skip": ["Skip to the content", "跳到内容"],

  "live.connected": ["Live", "实时"],
  "live.lost": ["Reconnecting …", "正在重连……"],
  "live.paused": ["Paused", "已暂停"],
  "live.file": ["File", "文件"],
  "live.exchanges": ["{n} exchanges", "{n} 次交换"],
  "live.running": ["{n} running", "{n} 进行中"],
  "live.losses": ["{n} lost: {reasons}", "丢失 {n}：{reasons}"],

  "control.pause": ["Pause recording", "暂停记录"],
  "control.resume": ["Resume recording", "继续记录"],
  "control.clear": ["Clear …", "清空……"],
  "control.export": ["Export what is filtered", "导出筛选结果"],
  "control.theme": ["Dark or light", "深色或浅色"],
  "control.language": ["中文", "English"],
  "control.help": ["Keys and marks", "按键与标记"],
  "clear.title": ["Delete all exchanges?", "删除所有交换记录？"],
  "clear.text": [
    "All {n} exchanges and all totals of {name} are deleted. This cannot be taken back.",
    "{name} 中的全部 {n} 次交换及所有统计将被删除，无法恢复。",
  ],
  "clear.confirm": ["Delete all", "全部删除"],
  "clear.done": ["Everything was deleted.", "已全部删除。"],
  "cancel": ["Cancel", "取消"],
  "close": ["Close", "关闭"],
  "export.har": ["HAR, for browsers' tools", "HAR（浏览器工具）"],
  "export.csv": ["CSV, for spreadsheets", "CSV（电子表格）"],
  "export.ndjson": ["NDJSON, for scripts", "NDJSON（脚本）"],
  "theme.auto": ["As the system", "跟随系统"],
  "theme.light": ["Light", "浅色"],
  "theme.dark": ["Dark", "深色"],

  "filter.search": ["Search URLs and header values", "搜索 URL 与标头值"],
  "filter.more": ["More filters", "更多筛选"],
  "filter.status": ["Status", "状态"],
  "filter.status.all": ["All", "全部"],
  "filter.status.none": ["No response", "无响应"],
  "filter.type": ["Content type", "内容类型"],
  "filter.method": ["Method", "方法"],
  "filter.host": ["Host", "主机"],
  "filter.api": ["API", "接口"],
  "filter.path": ["Path begins with", "路径前缀"],
  "filter.failed": ["Failed", "失败"],
  "filter.failed.long": ["Failed or refused only", "仅失败或被拒"],
  "filter.slower": ["Slower than", "慢于"],
  "filter.slower.ms": ["Slower than (ms)", "慢于（毫秒）"],
  "filter.text": ["Text", "文本"],
  "filter.since": ["From", "从"],
  "filter.until": ["To", "到"],
  "filter.range": ["Time", "时间"],
  "filter.task": ["Task", "任务"],
  "filter.process": ["Process", "进程"],
  "filter.connection": ["Connection", "连接"],
  "filter.any": ["Any", "任意"],
  "filter.remove": ["Remove filter {name}", "移除筛选 {name}"],
  "filter.clear": ["Remove all filters", "移除全部筛选"],
  "filter.active": ["Filters in force", "当前筛选"],

  "column.method": ["Method", "方法"],
  "column.status": ["Status", "状态"],
  "column.host": ["Host", "主机"],
  "column.path": ["Path", "路径"],
  "column.type": ["Type", "类型"],
  "column.up": ["Up", "上行"],
  "column.down": ["Down", "下行"],
  "column.duration": ["Time", "耗时"],
  "column.waterfall": ["Waterfall", "瀑布"],
  "column.evidence": ["Evidence", "依据"],
  "column.sort": ["sort", "排序"],

  "list.label": ["Exchanges", "交换列表"],
  "list.empty": ["No exchange matches.", "没有匹配的交换。"],
  "list.none": ["Nothing was recorded yet. Exchanges appear here as they happen.", "尚无记录。交换发生时会显示在这里。"],
  "list.count": ["{n} shown", "显示 {n}"],
  "list.truncated": ["the newest {n} of more", "仅最新 {n} 条"],
  "list.new": ["{n} new", "{n} 条新记录"],
  "list.again": ["Look for new ones", "查看新记录"],
  "list.follow": ["Follow the newest at the end", "在末尾跟随最新"],
  "list.loading": ["Loading", "加载中"],

  "state.running": ["running", "进行中"],
  "state.completed": ["completed", "已完成"],
  "state.failed": ["failed", "失败"],
  "state.cancelled": ["cancelled", "已取消"],
  "state.timedOut": ["timed out", "超时"],
  "state.abandoned": ["abandoned", "已中断"],
  "noResponse": ["no response", "无响应"],

  "evidence.captured": ["Captured: the bytes passed through the meter", "捕获：字节经过计量器"],
  "evidence.reported": ["Reported: a counter of the system", "报告：来自系统计数器"],
  "evidence.reconstructed": ["Reconstructed: computed from what an API shows", "重建：由 API 信息计算"],
  "evidence.unknown": ["Unknown: not every part could be weighed", "未知：部分大小无法得知"],
  "evidence.short.captured": ["captured", "捕获"],
  "evidence.short.reported": ["reported", "报告"],
  "evidence.short.reconstructed": ["reconstructed", "重建"],
  "evidence.short.unknown": ["unknown", "未知"],
  "evidence.margin": ["may be off by {n}", "误差至多 {n}"],
  "unknown": ["unknown", "未知"],

  "part": ["Part", "部分"],
  "part.startLine": ["Start line", "起始行"],
  "part.fields": ["Fields", "标头"],
  "part.cookies": ["Cookies", "Cookie"],
  "part.interim": ["Interim", "临时响应"],
  "part.body": ["Body", "正文"],
  "part.framing": ["Framing", "分帧"],
  "part.total": ["Total", "合计"],

  "detail.label": ["Exchange {n}", "交换 {n}"],
  "detail.close": ["Close the details", "关闭详情"],
  "detail.previous": ["Previous exchange", "上一条"],
  "detail.next": ["Next exchange", "下一条"],
  "detail.curl": ["Copy as cURL", "复制为 cURL"],
  "detail.curl.done": ["The command is in the clipboard.", "命令已复制到剪贴板。"],
  "detail.curl.failed": ["The browser did not allow copying; here is the command.", "浏览器不允许复制，命令如下。"],
  "detail.har": ["Save as HAR", "保存为 HAR"],
  "detail.gone": ["This exchange is not in the store any more.", "该交换已不在存储中。"],
  "tab.overview": ["Overview", "概览"],
  "tab.heads": ["Heads", "标头"],
  "tab.body": ["Body", "正文"],
  "detail.size": ["Size on the wire", "线上大小"],
  "detail.time": ["Time", "耗时"],
  "detail.chain": ["Hops of this task", "此任务的各跳"],
  "detail.audit": ["What the audit says", "审计结论"],
  "detail.about": ["About", "关于"],
  "detail.same": ["List all of the same", "列出全部相同项"],
  "detail.outcome": ["Outcome", "结果"],
  "detail.started": ["Started", "开始"],
  "detail.process": ["Process", "进程"],
  "detail.connection": ["Connection", "连接"],
  "detail.connection.new": ["opened for it", "为其新建"],
  "detail.connection.reused": ["reused", "复用"],
  "detail.version": ["Version", "版本"],
  "detail.decoded": ["Body decoded", "解码后正文"],
  "detail.sizeBar": ["{direction}: {total}, {parts}", "{direction}：{total}，{parts}"],
  "request": ["Request", "请求"],
  "response": ["Response", "响应"],
  "heads.request": ["Request head", "请求头"],
  "heads.response": ["Response head", "响应头"],
  "heads.redacted": ["Marked values were replaced before they were stored; their sizes are exact.", "标记的值在存储前已被替换，其大小是准确的。"],
  "heads.query": ["Query items", "查询参数"],
  "heads.cookies.sent": ["Cookies sent", "发送的 Cookie"],
  "heads.cookies.set": ["Cookies set", "设置的 Cookie"],
  "heads.name": ["Name", "名称"],
  "heads.value": ["Value", "值"],
  "heads.attributes": ["Attributes", "属性"],
  "heads.none": ["No response came.", "没有响应。"],

  "phase.queue": ["Queue", "排队"],
  "phase.dns": ["DNS", "DNS"],
  "phase.connect": ["TCP", "TCP"],
  "phase.tls": ["TLS", "TLS"],
  "phase.send": ["Send", "发送"],
  "phase.wait": ["Wait", "等待"],
  "phase.receive": ["Receive", "接收"],
  "phase.total": ["Total", "合计"],
  "phase.label": ["Phases of {total}", "{total} 的各阶段"],

  "body.none": ["The body was not kept. Bodies are stored only on request.", "正文未保存。仅在要求时才存储正文。"],
  "body.empty": ["The body is empty.", "正文为空。"],
  "body.tree": ["Tree", "树"],
  "body.text": ["Text", "文本"],
  "body.image": ["Image", "图像"],
  "body.hex": ["Hex", "十六进制"],
  "body.as": ["Shown as", "显示为"],
  "body.side": ["Which body", "哪个正文"],
  "body.size": ["{n} kept", "已保存 {n}"],
  "body.decoded": ["{n} decoded from {coding}", "由 {coding} 解码为 {n}"],
  "body.coding": ["This browser cannot decode “{coding}”; the bytes are shown as sent.", "此浏览器无法解码“{coding}”，按原样显示字节。"],
  "body.broken": ["The body ends or breaks before its end; what could be decoded is shown.", "正文不完整或已损坏，仅显示可解码部分。"],
  "body.capped": ["Only the first {n} are decoded.", "仅解码前 {n}。"],
  "body.page": ["{from}–{to} of {n}", "{from}–{to}，共 {n}"],
  "body.page.first": ["First page", "首页"],
  "body.page.previous": ["Previous page", "上一页"],
  "body.page.next": ["Next page", "下一页"],
  "body.page.last": ["Last page", "末页"],
  "body.save": ["Save", "保存"],
  "tree.label": ["JSON", "JSON"],
  "tree.more": ["{n} more", "还有 {n} 项"],
  "tree.item": ["1 item", "1 项"],
  "tree.items": ["{n} items", "{n} 项"],
  "tree.invalid": ["This is not JSON: {reason}", "不是 JSON：{reason}"],

  "apis.title": ["What each API weighs", "各接口的流量"],
  "apis.api": ["API", "接口"],
  "apis.requests": ["Requests", "请求"],
  "apis.failures": ["Failed", "失败"],
  "apis.up": ["Up", "上行"],
  "apis.down": ["Down", "下行"],
  "apis.share": ["Share", "占比"],
  "apis.p50": ["p50", "p50"],
  "apis.p95": ["p95", "p95"],
  "apis.spark": ["Over time", "趋势"],
  "apis.captured": ["{share} of {total} captured", "{total} 中 {share} 为捕获"],
  "apis.empty": ["No traffic in this range.", "此范围内没有流量。"],
  "apis.spark.label": ["Requests over time, at most {n} in a slot", "请求趋势，每格最多 {n}"],

  "map.title": ["Where the bytes go", "字节去向"],
  "map.text": ["Area is bytes: host, then API, then part.", "面积表示字节：主机、接口、部分。"],
  "map.direction": ["Direction", "方向"],
  "map.both": ["Both", "双向"],
  "map.table": ["The same as a table", "以表格显示"],
  "map.others": ["{n} more APIs", "其他 {n} 个接口"],
  "map.label": ["Treemap of {total}", "{total} 的矩形树图"],

  "timeline.title": ["Traffic over time", "流量随时间变化"],
  "timeline.text": ["Drag to choose a range: it filters every page.", "拖动以选择范围，所有页面随之筛选。"],
  "timeline.reset": ["Whole range", "完整范围"],
  "timeline.zoomIn": ["Zoom in", "放大"],
  "timeline.zoomOut": ["Zoom out", "缩小"],
  "timeline.rate": ["Bytes per second", "每秒字节"],
  "timeline.requests": ["Requests", "请求"],
  "timeline.failures": ["Failures", "失败"],
  "timeline.per": ["per {slot}", "每 {slot}"],
  "timeline.label": [
    "From {from} to {to}: {up} up, {down} down, {requests} requests, {failures} failures",
    "{from} 至 {to}：上行 {up}，下行 {down}，{requests} 次请求，{failures} 次失败",
  ],
  "timeline.empty": ["No traffic in this range.", "此范围内没有流量。"],

  "audit.title": ["What could be saved", "可以节省什么"],
  "audit.clean": ["The audit has nothing to say about this traffic.", "审计对此流量没有意见。"],
  "audit.none": ["This exchange is in no finding.", "没有涉及此交换的结论。"],
  "audit.evidence": ["Evidence", "证据"],
  "audit.per": ["{n} per 1,000 calls", "每千次 {n}"],
  "audit.estimated": ["estimated", "估计"],
  "audit.measured": ["measured", "实测"],
  "audit.calls": ["{n} calls", "{n} 次调用"],

  "compare.title": ["Before and after", "前后对比"],
  "compare.none": [
    "No other file was named. Start the inspector with “--compare FILE” to see what has changed since.",
    "未指定另一个文件。使用“--compare FILE”启动检查器以查看变化。",
  ],
  "compare.before": ["Before", "之前"],
  "compare.after": ["After", "之后"],
  "compare.change": ["Change", "变化"],
  "compare.latency": ["p50", "p50"],
  "compare.new": ["new", "新增"],
  "compare.gone": ["gone", "消失"],
  "compare.same": ["Nothing has changed.", "没有变化。"],
  "compare.noise": ["within noise", "噪声范围内"],
  "compare.slower": ["slower", "变慢"],
  "compare.faster": ["faster", "变快"],

  "connections.title": ["Connections", "连接"],
  "connections.text": ["Each bar is one connection: its parts add up to the payload that the kernel counted.", "每条表示一个连接，各部分之和等于内核统计的载荷。"],
  "connections.empty": ["No connection was recorded.", "没有连接记录。"],
  "connections.id": ["Number", "编号"],
  "connections.remote": ["Peer", "对端"],
  "connections.open": ["open", "打开中"],
  "connections.sent": ["Sent", "发送"],
  "connections.received": ["Received", "接收"],
  "connections.retransmitted": ["Sent again", "重传"],
  "connections.roundTrip": ["Round trip", "往返"],
  "connections.more": ["Show more", "显示更多"],
  "connections.ledger": ["Ledger", "明细账"],
  "connections.exchanges": ["Exchanges", "交换"],
  "connections.exchanges.all": ["List all {n} exchanges", "列出全部 {n} 次交换"],
  "connections.exchanges.one": ["List its exchange", "列出其交换"],
  "connections.exchanges.others": ["{n} more exchanges", "其他 {n} 次交换"],
  "connections.open.for": ["open", "打开中"],
  "connections.toggle": ["Ledger of connection {n}", "连接 {n} 的明细账"],
  "connections.unknown": ["The kernel did not tell what it carried; these are its messages.", "内核未给出载荷，仅显示消息。"],
  "connections.about": ["About", "关于"],
  "connections.protocol": ["Protocol", "协议"],
  "connections.tls": ["TLS", "TLS"],
  "connections.tls.none": ["none", "无"],
  "connections.local": ["Our end", "本端"],
  "connections.opened": ["Opened", "打开时间"],
  "connections.closed": ["Closed", "关闭时间"],
  "connections.segments": ["Segments", "报文段"],
  "connections.segments.text": ["{up} up, {down} down", "上行 {up}，下行 {down}"],
  "connections.ip": ["IP bytes, estimated", "IP 字节（估计）"],
  "connections.evidence": ["Overhead is", "开销依据"],
  "ledger.messages": ["Messages", "消息"],
  "ledger.messagesUp": ["Messages up", "上行消息"],
  "ledger.messagesDown": ["Messages down", "下行消息"],
  "ledger.tls": ["TLS", "TLS"],
  "ledger.http2": ["HTTP/2 frames", "HTTP/2 帧"],
  "ledger.unaccounted": ["Unaccounted", "未说明"],
  "ledger.payload": ["Payload", "载荷"],
  "ledger.bar": ["{total} of payload: {parts}", "载荷 {total}：{parts}"],

  "help.title": ["Keys and marks", "按键与标记"],
  "help.keys": ["Keys", "按键"],
  "help.move": ["Next and previous exchange", "下一条与上一条"],
  "help.ends": ["First and last", "首条与末条"],
  "help.pages": ["A screen down and up", "向下或向上一屏"],
  "help.open": ["Open the details", "打开详情"],
  "help.search": ["Search", "搜索"],
  "help.close": ["Close what is open", "关闭当前面板"],
  "help.numbers": ["Go to a page", "切换页面"],
  "help.help": ["This help", "本帮助"],
  "help.parts": ["Parts of a message", "消息的各部分"],
  "help.evidence": ["Evidence of a size", "大小的依据"],

  "error.unreachable": ["The inspector cannot be reached. It is tried again.", "无法连接检查器，正在重试。"],
  "error.title": ["That did not work", "操作未成功"],
};

/** @type {"en" | "zh"} */
let language = choose();

function choose() {
  const stored = localStorage.getItem("wireweight.language");
  if (stored === "en" || stored === "zh") return stored;
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

export function locale() {
  return language === "zh" ? "zh-CN" : "en-US";
}

/** @param {"en" | "zh"} next */
export function speak(next) {
  language = next;
  localStorage.setItem("wireweight.language", next);
}

export function spoken() {
  return language;
}

/**
 * The words for a key, with `{names}` replaced.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const words = Object.hasOwn(messages, key) ? messages[key][language === "zh" ? 1 : 0] : key;
  return words.replace(/\{(\w+)\}/g, (whole, name) => Object.hasOwn(values, name) ? String(values[name]) : whole);
}

/**
 * The words for a name that comes from data, or the name itself.
 * @param {string} prefix
 * @param {string} name
 */
export function named(prefix, name) {
  const key = `${prefix}.${name}`;
  return Object.hasOwn(messages, key) ? t(key) : name;
}

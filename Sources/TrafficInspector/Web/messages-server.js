// What the server says by the name of a phrase: the audit's sentences, and what it refuses. Part of the message table.
// The English ones are word for word those of the server.

/** @type {Record<string, [english: string, chinese: string]>} */
export const serverMessages = {
  "complete.say.exact": ["{share} of {total} was captured, exact to the byte.", "{total} 中 {share} 为捕获，精确到字节。"],
  "complete.say.captured": ["{share} of {total} was captured.", "{total} 中 {share} 为捕获。"],
  "complete.say.partly": [
    "{share} of {total} was captured; ~ marks sums of which a part is reported or reconstructed.",
    "{total} 中 {share} 为捕获；带 ~ 的总数含有上报或重建的部分。",
  ],
  "complete.say.missing": [
    "{size} on {count} connections belong to no message, most of them on {connections}.",
    "{count} 个连接上有 {size} 不属于任何消息，主要在{connections}。",
  ],
  "complete.say.missingOne": ["{size} on {connections} belong to no message.", "{connections}上有 {size} 不属于任何消息。"],
  "complete.say.excess": [
    "The messages of {count} connections have {size} more than the kernel counted.",
    "{count} 个连接的消息比内核统计多 {size}。",
  ],
  "complete.say.excessOne": [
    "The messages of {connections} have {size} more than the kernel counted.",
    "{connections}的消息比内核统计多 {size}。",
  ],
  "complete.say.unknown": ["The kernel's count of {count} connections is not known.", "{count} 个连接没有内核统计。"],
  "complete.say.unknownOne": ["The kernel's count of 1 connection is not known.", "1 个连接没有内核统计。"],
  "complete.say.unproven": [
    "On {count} connections the bytes inside TLS were not counted, so their ledgers prove nothing.",
    "{count} 个连接的 TLS 内字节未统计，其明细账不能证明什么。",
  ],
  "complete.say.unprovenOne": [
    "On 1 connection the bytes inside TLS were not counted, so its ledger proves nothing.",
    "1 个连接的 TLS 内字节未统计，其明细账不能证明什么。",
  ],
  "complete.say.partlyUnknown": ["Part of the size of {count} messages is not known.", "{count} 条消息的部分大小未知。"],
  "complete.say.partlyUnknownOne": ["Part of the size of 1 message is not known.", "1 条消息的部分大小未知。"],
  "complete.say.named": ["The connections also carried {parts}.", "连接还承载了{parts}。"],
  "audit.say.cancelled": ["{Calls} were cancelled after {size} on average had arrived.", "{Calls}在平均收到 {size} 后被取消。"],
  "audit.say.cancelledRemedy": [
    "Request it later, request less, or resume with a Range request instead of starting again.",
    "推迟请求、减少请求量，或用 Range 请求续传而不是重新开始。",
  ],
  "audit.say.notReused": [
    "{Calls} opened a connection while another to the same host lay idle; the handshakes took {time} each.",
    "{Calls}在同一主机已有空闲连接时新建了连接；每次握手耗时 {time}。",
  ],
  "audit.say.notReusedClosed": [
    "{Calls} opened a connection while another to the same host lay idle; the handshakes took {time} each, and the server closes with 'Connection: close'.",
    "{Calls}在同一主机已有空闲连接时新建了连接；每次握手耗时 {time}，且服务器以“Connection: close”关闭连接。",
  ],
  "audit.say.notReusedRemedy": [
    "Use one client or session for all calls, and read each response to its end.",
    "所有调用共用一个客户端或会话，并把每个响应读到结尾。",
  ],
  "audit.say.notReusedServerRemedy": ["Let the server keep connections open.", "让服务器保持连接打开。"],
  "audit.say.failed": ["{Calls} failed ({kinds}).", "{Calls}失败（{kinds}）。"],
  "audit.say.failedRemedy": [
    "Look into the failures with 'wireweight show'; let calls that cannot succeed fail before they are sent.",
    "用“wireweight show”查看失败原因；注定失败的调用不要发出。",
  ],
  "audit.say.refusedRemedy": [
    "Do not send what the server will refuse: check before, and remember a refusal.",
    "不要发送服务器会拒绝的请求：事先检查，并记住被拒绝的结果。",
  ],
  "audit.say.identical": [
    "The same URL was requested again within {time}, with the same response, in {calls}.",
    "{calls}在 {time} 内再次请求同一 URL，得到相同的回答。",
  ],
  "audit.say.identicalRemedy": [
    "Share one call among callers that need it at the same time, and keep its response for a moment.",
    "让同时发起的请求共用一次调用，并将结果短暂保留。",
  ],
  "audit.say.largeImages": ["Images of {size} on average come in {calls} ({kinds}).", "{calls}下载平均 {size} 的图像（{kinds}）。"],
  "audit.say.largeImagesRemedy": ["Serve them in the size that is shown, as WebP or AVIF.", "按显示尺寸以 WebP 或 AVIF 提供图像。"],
  "audit.say.largeImagesSource": ["what is above {size} an image", "每张图像超出 {size} 的部分"],
  "audit.say.manyConnections": [
    "Up to {most} connections at once go to this host with HTTP/1.1; {count} were opened because the others were busy.",
    "以 HTTP/1.1 同时连接此主机最多达 {most} 个；其中 {count} 个因其他连接忙而打开。",
  ],
  "audit.say.manyConnectionsRemedy": [
    "Switch on HTTP/2 at the server, and let the client negotiate it: all calls share one connection.",
    "在服务器上启用 HTTP/2 并由客户端协商：所有调用共用一个连接。",
  ],
  "audit.say.firstPartyCookies": [
    "First-party cookies of {size} on average travel with {calls}, {sum} in all.",
    "{calls}携带平均 {size} 的第一方 Cookie，共 {sum}。",
  ],
  "audit.say.firstPartyCookiesRemedy": [
    "Keep a session's number in the cookie and the rest on the server, or narrow Path and Domain.",
    "Cookie 中只保留会话编号，其余存放在服务器，或缩小 Path 与 Domain 范围。",
  ],
  "audit.say.thirdPartyCookies": [
    "Third-party cookies of {size} on average travel with {calls}, {sum} in all.",
    "{calls}携带平均 {size} 的第三方 Cookie，共 {sum}。",
  ],
  "audit.say.thirdPartyCookiesRemedy": [
    "Keep no cookies for this host, unless it needs them to respond.",
    "不要为此主机保存 Cookie，除非它需要 Cookie 才能回答。",
  ],
  "audit.say.requestFields": [
    "The headers of a request, without cookies, take {size} on average in {calls}: {lines}.",
    "{calls}的请求标头（不含 Cookie）平均占 {size}：{lines}。",
  ],
  "audit.say.requestFieldsRemedy": [
    "Shorten or leave out the largest; what never changes can be sent once, or kept by the server.",
    "缩短或省去最大的标头；从不变化的内容可以只发一次，或由服务器保存。",
  ],
  "audit.say.redirects": ["{Calls} only led to another URL ({kinds}).", "{Calls}只是被重定向（{kinds}）。"],
  "audit.say.secureRedirectRemedy": [
    "Request the https URL directly; HSTS makes browsers do so.",
    "直接使用 https 请求；HSTS 可让浏览器这样做。",
  ],
  "audit.say.slashRedirectRemedy": [
    "Spell the URL as the server does, with or without the slash at its end.",
    "按服务器的写法书写 URL，末尾有无斜杠要一致。",
  ],
  "audit.say.chainRedirectRemedy": [
    "Let the first redirect lead to the last URL, or request that URL directly.",
    "让第一次重定向直达终点，或直接请求最后的 URL。",
  ],
  "audit.say.permanentRedirectRemedy": [
    "Request the URL that the server names; it says that the move is permanent.",
    "请求服务器指明的 URL；服务器表示它不会再变。",
  ],
  "audit.say.redirectRemedy": [
    "Request the target directly if it is known, or let the server respond without a redirect.",
    "已知目标时直接请求它，或让服务器就地回答。",
  ],
  "audit.say.repeatedAsked": [
    "The same body came again in {calls}, {size} in all, although the client asked whether it had changed.",
    "{calls}再次收到相同的正文，共 {size}，尽管客户端询问过它是否改变。",
  ],
  "audit.say.repeatedAskedRemedy": [
    "Let the server answer 304 when If-None-Match or If-Modified-Since still holds.",
    "当 If-None-Match 或 If-Modified-Since 仍成立时，让服务器回答 304。",
  ],
  "audit.say.repeatedUnnamed": [
    "The same body came again in {calls}, {size} in all; the responses carry neither ETag nor Last-Modified.",
    "{calls}再次收到相同的正文，共 {size}；响应既没有 ETag 也没有 Last-Modified。",
  ],
  "audit.say.repeatedUnnamedRemedy": [
    "Let the server send an ETag, or 'Cache-Control: max-age', and keep the body.",
    "让服务器发送 ETag 或“Cache-Control: max-age”，并保留正文。",
  ],
  "audit.say.retries": [
    "{count} retries followed failed attempts ({kinds}); none of them failed as well.",
    "失败后重试 {count} 次（{kinds}）；重试均未再失败。",
  ],
  "audit.say.retriesFailed": [
    "{count} retries followed failed attempts ({kinds}); {failed} of them failed as well.",
    "失败后重试 {count} 次（{kinds}）；其中 {failed} 次再次失败。",
  ],
  "audit.say.retriesRemedy": [
    "Retry only what can succeed, with growing pauses; resume uploads where they broke off.",
    "只重试可能成功的调用，间隔逐次加长；上传从中断处续传。",
  ],
  "audit.say.slowLookup": [
    "The name lookup took more than {limit}, {time} on average, in {count} of {all} cases; it is {share} of all the time of the calls to this host.",
    "域名解析在 {all} 次中有 {count} 次超过 {limit}，平均 {time}；占此主机全部调用总时间的 {share}。",
  ],
  "audit.say.slowLookupRemedy": [
    "Use a caching resolver on the machine or in its network, give the name a longer TTL, look it up before it is needed (DNS prefetch), connect by address where it is fixed, and use fewer host names.",
    "在本机或其网络中使用带缓存的解析器，延长该名称的 TTL，提前解析（DNS 预取），地址固定时直接用地址连接，并减少主机名。",
  ],
  "audit.say.slowConnect": [
    "The TCP handshake took more than {limit}, {time} on average, in {count} of {all} cases; it is {share} of all the time of the calls to this host.",
    "TCP 握手在 {all} 次中有 {count} 次超过 {limit}，平均 {time}；占此主机全部调用总时间的 {share}。",
  ],
  "audit.say.slowConnectRemedy": [
    "Keep connections open and use them again, open them before they are needed (preconnect), let all calls share one with HTTP/2, and serve from a region or CDN near the clients.",
    "保持并复用连接，提前建立连接（预连接），用 HTTP/2 让所有调用共用一个连接，并从靠近客户端的区域或 CDN 提供服务。",
  ],
  "audit.say.slowTLS": [
    "The TLS handshake took more than {limit}, {time} on average, in {count} of {all} cases; it is {share} of all the time of the calls to this host.",
    "TLS 握手在 {all} 次中有 {count} 次超过 {limit}，平均 {time}；占此主机全部调用总时间的 {share}。",
  ],
  "audit.say.slowTLSRemedy": [
    "Resume sessions (tickets), use TLS 1.3, which needs one round trip less, send a short certificate chain, and keep connections open; HTTP/2 needs one handshake for all calls.",
    "恢复会话（票据），使用少一次往返的 TLS 1.3，发送较短的证书链，并保持连接打开；使用 HTTP/2 时所有调用只需一次握手。",
  ],
  "audit.say.slowServer": [
    "The server's first byte took more than {limit}, {time} on average, in {count} of {all} cases; it is {share} of all the time of these calls.",
    "服务器首字节在 {all} 次中有 {count} 次超过 {limit}，平均 {time}；占这些调用总时间的 {share}。",
  ],
  "audit.say.slowServerRemedy": [
    "Find out what the server does before its first byte (queries, calls to other services, a cold start); cache the answer, work in parallel, or send the response while it is made.",
    "查明服务器在首字节之前做什么（查询、调用其他服务、冷启动）；缓存回答、并行处理，或边生成边发送响应。",
  ],
  "audit.say.tampering": ["Something between client and server changed {calls}: {kinds}.", "客户端与服务器之间有东西改动了{calls}：{kinds}。"],
  "audit.say.tamperingRemedy": [
    "Use https without exceptions; where it was used, find out whose certificate was trusted.",
    "一律使用 https；若已使用，请查明信任了谁的证书。",
  ],
  "audit.say.uncodedAsked": [
    "{Kind} of {size} on average came uncompressed in {calls}, although the client accepts compression.",
    "{calls}收到平均 {size} 的 {Kind}，未经内容编码，尽管客户端要求编码。",
  ],
  "audit.say.uncodedAskedRemedy": ["Let the server compress {kind} with gzip or better.", "让服务器用 gzip 或更好的方式压缩 {kind}。"],
  "audit.say.uncodedUnasked": [
    "{Kind} of {size} on average came uncompressed in {calls}; the client could ask for compression.",
    "{calls}收到平均 {size} 的 {Kind}，未经内容编码，而客户端本可要求编码。",
  ],
  "audit.say.uncodedUnaskedRemedy": [
    "Send 'Accept-Encoding: gzip' and decode, or leave that header to the HTTP library.",
    "发送“Accept-Encoding: gzip”并解码，或把该标头交给 HTTP 库。",
  ],
  "audit.say.uncodedUpload": [
    "{Kind} of {size} on average was uploaded uncompressed in {calls}.",
    "{calls}上传平均 {size} 的 {Kind}，未经内容编码。",
  ],
  "audit.say.uncodedUploadRemedy": [
    "Compress the body and send 'Content-Encoding: gzip', if the server takes it.",
    "若服务器接受，压缩正文并发送“Content-Encoding: gzip”。",
  ],
  "audit.say.tinyChunks": [
    "Chunks are so small that their framing adds {share} to the body in {calls}.",
    "{calls}的分块过小，分帧使正文增加 {share}。",
  ],
  "audit.say.tinyChunksRemedy": [
    "Let the server fill a buffer before it writes, or send a Content-Length.",
    "让服务器填满缓冲区再写出，或发送 Content-Length。",
  ],
  "audit.say.polling": [
    "The same URL is requested every {time}, and the response did not change in {calls}.",
    "每 {time} 请求一次同一 URL，{calls}的回答没有变化。",
  ],
  "audit.say.pollingRemedy": [
    "Poll less often, let the interval grow while nothing changes, or have the server push changes.",
    "降低请求频率，没有变化时逐渐加长间隔，或由服务器推送变化。",
  ],
  "audit.say.validators": [
    "The same body came again in {calls}, {size} in all, although the earlier response carried an ETag or Last-Modified.",
    "{calls}再次收到相同的正文，共 {size}，尽管先前的响应已标明其版本。",
  ],
  "audit.say.validatorsRemedy": [
    "Keep the response and send If-None-Match or If-Modified-Since; a 304 has no body.",
    "保留响应，并用 If-None-Match 或 If-Modified-Since 询问；304 没有正文。",
  ],
  "audit.say.counted": ["counted on the wire", "按线上字节计数"],
  "audit.say.notAllCounted": ["from sizes that are not all counted", "部分大小并非计数得来"],
  "audit.say.keptBody": ["1 kept body compressed with gzip to {share}", "1 个保存的正文经 gzip 压缩为 {share}"],
  "audit.say.keptBodies": ["{count} kept bodies compressed with gzip to {share}", "{count} 个保存的正文经 gzip 压缩为 {share}"],
  "audit.say.ratioOfAPI": ["this API's own compressed {kind} shrinks to {share}", "此接口自身经编码的 {kind} 占 {share}"],
  "audit.say.ratioOfHost": ["the host's compressed {kind} shrinks to {share}", "此主机经编码的 {kind} 占 {share}"],
  "audit.say.ratioOfFile": ["the file's compressed {kind} shrinks to {share}", "此文件中经编码的 {kind} 占 {share}"],
  "audit.say.ratioInGeneral": [
    "text shrinks to half or less with gzip; no body was kept to measure it",
    "文本经 gzip 至多占一半；没有保存正文以供测量",
  ],
  "audit.share.First": ["All {of} calls", "全部 {of} 次调用"],
  "audit.share.Only": ["Its only call", "唯一一次调用"],
  "audit.share.only": ["its only call", "唯一一次调用"],
  "audit.share.all": ["all {of} calls", "全部 {of} 次调用"],
  "audit.share.some": ["{n} of {of} calls", "{of} 次调用中有 {n} 次"],
  "audit.kinds.one": ["{name}: {n}", "{name}：{n}"],
  "audit.kinds.between": [", ", "、"],
  "audit.kind.failed": ["failed", "失败"],
  "audit.kind.timed out": ["timed out", "超时"],
  "audit.kind.one redirect after the other": ["one redirect after the other", "接连重定向"],
  "audit.kind.from http to https": ["from http to https", "从 http 到 https"],
  "audit.kind.for a trailing slash": ["for a trailing slash", "为了末尾的斜杠"],
  "audit.kind.permanent": ["permanent", "永久"],
  "audit.kind.temporary": ["temporary", "临时"],
  "audit.kind.a network that wants a login": ["a network that wants a login", "要求登录的网络"],
  "audit.kind.the same version with other bytes": ["the same version with other bytes", "同一版本而字节不同"],
  "audit.kind.other bytes between two equal answers": ["other bytes between two equal answers", "两次相同回答之间字节不同"],
  "audit.kind.a proxy that says that it changed the content": ["a proxy that says that it changed the content", "声明改动过内容的代理"],
  "audit.kind.a script that the page did not have": ["a script that the page did not have", "页面原先没有的脚本"],
  "audit.kind.a script from": ["a script from {rest}", "来自 {rest} 的脚本"],
  "audit.kind.redirected to": ["redirected to {rest}", "被重定向到 {rest}"],
  "audit.kind.HTML in place of": ["HTML in place of {rest}", "以 HTML 代替 {rest}"],
  "audit.content.text": ["text", "文本"],
  "audit.content.form data": ["form data", "表单数据"],
  "audit.content.an image": ["an image", "图像"],
  "audit.content.audio or video": ["audio or video", "音频或视频"],
  "audit.content.other content": ["other content", "其他内容"],
  "audit.content.content without a type": ["content without a type", "未注明类型的内容"],
  "audit.content.no content": ["no content", "空内容"],

  "refusal.address": ["there is nothing at this address", "此地址没有内容"],
  "refusal.ownName": [
    "this name is not one of the inspector's own; open it by the address that was printed",
    "这不是检查器自己的名称；请用启动时显示的地址打开",
  ],
  "refusal.otherOrigin": ["pages of other origins may not call the inspector", "其他来源的页面不得访问检查器"],
  "refusal.token": ["open the address with the token that was printed at the start", "请打开启动时显示的带令牌的地址"],
  "refusal.method": ["the inspector supports GET, HEAD and POST", "检查器只支持 GET、HEAD 和 POST"],
  "refusal.readOnlyAddress": ["this address is read with GET", "此地址请用 GET 读取"],
  "refusal.header": [
    "a call that changes something needs the header 'X-Wireweight: 1'",
    "作出更改的调用需要标头“X-Wireweight: 1”",
  ],
  "refusal.version": ["only HTTP/1.1 is supported here", "这里只支持 HTTP/1.1"],
  "refusal.transferCoding": ["a request's content must have a Content-Length", "请求内容必须带有 Content-Length"],
  "refusal.contentLength": ["the Content-Length is not a number", "Content-Length 不是数字"],
  "refusal.contentTooLarge": ["a request may have at most 64 KiB of content", "请求内容最多 64 KiB"],
  "refusal.headTooLarge": ["a request's headers may have at most 32 KiB", "请求头最多 32 KiB"],
  "refusal.target": ["the request target must start with '/'", "请求目标必须以“/”开头"],
  "refusal.busy": ["too many pages are open; close some", "打开的页面过多，请关闭一些"],
  "refusal.wholeNumber": [
    "'{name}' must be a whole number from {least} to {most}",
    "“{name}”必须是 {least} 到 {most} 的整数",
  ],
  "refusal.moment": ["'{name}' must be milliseconds since 1970", "“{name}”必须是自 1970 年起的毫秒数"],
  "refusal.range": ["'since' must be before 'until'", "“since”必须早于“until”"],
  "refusal.slower": ["'slower' must be milliseconds", "“slower”必须是毫秒数"],
  "refusal.status": ["'status' must be like 404, 4xx, 400-499 or none", "“status”应形如 404、4xx、400-499 或 none"],
  "refusal.sort": [
    "'sort' must be one of {columns}, with '-' before it for the largest first",
    "“sort”必须是 {columns} 之一，前加“-”表示从大到小",
  ],
  "refusal.format": ["'format' must be har, csv or ndjson", "“format”必须是 har、csv 或 ndjson"],
  "refusal.cursor": ["'cursor' must be one from an earlier response", "“cursor”必须来自之前的回答"],
  "refusal.expired": ["the list of this cursor is gone; request it again", "此游标的列表已失效，请重新请求"],
  "refusal.exchange": ["there is no exchange {number} here, or not any more", "这里没有交换 {number}，或已不存在"],
  "refusal.body": ["no body was kept; '--keep-bodies' or 'configuration.bodies' keeps them", "没有保存正文；请用“--keep-bodies”或“configuration.bodies”保存"],
  "refusal.compare": ["start the inspector with '--compare FILE' to compare", "要对比，请以“--compare FILE”启动检查器"],
  "refusal.readOnly": [
    "this page shows a file that it does not write; open the page of the program that does",
    "此页面显示的文件并非由它写入；请打开写入程序的页面",
  ],
  "refusal.confirm": [
    'clearing deletes everything; send {"confirm":true}',
    '清空会删除全部内容；请发送 {"confirm":true}',
  ],
  "refusal.store": ["the store failed: {reason}", "存储出错：{reason}"],
};

// Runs before the page. Notes when an exchange ended, by what the stream says, when that was heard, and when its row
// first stood there as ended: in the frame in which it is painted.
window.heard = [];
window.delays = [];
const ends = new Map();
const original = window.EventSource;
window.EventSource = class extends original {
  constructor(...rest) {
    super(...rest);
    super.addEventListener("rows", (event) => {
      const now = performance.timeOrigin + performance.now();
      for (const row of JSON.parse(event.data).rows) {
        if (row.duration === null || row.state === "running") continue;
        ends.set(row.id, row.start + row.duration);
        window.heard.push(now - row.start - row.duration);
      }
      requestAnimationFrame(look);
    });
  }
};

/** Behind the frame: what other callbacks put into it is painted by then. */
function look() {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    const now = performance.timeOrigin + performance.now();
    for (const [id, end] of ends) {
      const row = document.getElementById(`row-${id}`);
      if (!row || row.classList.contains("running")) continue;
      window.delays.push(now - end);
      ends.delete(id);
    }
    channel.port1.close();
  };
  channel.port2.postMessage(null);
}

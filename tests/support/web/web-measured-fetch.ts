// Fetches one address in a process of its own and reports the error's code and how far memory rose: run with `fork`, arguments url and limit.
import { createWeb } from '../../../src/web/web.ts';

const [url = '', maxBytes = '0', timeoutMs = '30000'] = process.argv.slice(2);
const webs = createWeb({
  guard: { allow: ['127.0.0.1'] },
  robots: 'off',
  maxBytes: Number(maxBytes),
  timeoutMs: Number(timeoutMs),
});
const web = webs.forAttempt({ signal: new AbortController().signal, source: 'article' });
// What a first exchange loads is not what this one weighs.
await web.text(`${new URL(url).origin}/small`);
global.gc?.();
const before = process.memoryUsage().rss;
let peak = before;
const timer = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss);
}, 5);
const began = performance.now();
const outcome = await web.text(url).then(
  (text) => `ok ${text.length}`,
  (error: { code: string }) => error.code,
);
peak = Math.max(peak, process.memoryUsage().rss);
clearInterval(timer);
process.send?.({ outcome, grownBytes: peak - before, tookMs: performance.now() - began });
await webs.close();

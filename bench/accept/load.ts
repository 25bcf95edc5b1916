// So many connections, each with one request under way: POST /jobs/submit with one article, every address once. An answer other than 201 ends the bench.
import { connect } from 'node:net';

const PORT = Number(process.env.TARGET_PORT);
const CONNECTIONS = Number(process.env.BENCH_CONNECTIONS ?? 64);
const WARM_UP_MS = Number(process.env.BENCH_WARM_UP_MS ?? 4_000);
const MEASURE_MS = Number(process.env.BENCH_MEASURE_MS ?? 5_000);

let number = 0;
let answered = 0;
let measured: number[] | null = null;

function nextRequest(): string {
  const body = `{"articles":[{"url":"https://example.com/news/${process.pid}/${number++}","source":"TechNews","category":"AI","priority":5}]}`;
  return `POST /jobs/submit HTTP/1.1\r\nhost: 127.0.0.1:${PORT}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

function drive(): void {
  let sentAt = 0;
  let text = '';
  const socket = connect(PORT, '127.0.0.1');
  const send = () => {
    sentAt = performance.now();
    socket.write(nextRequest());
  };
  socket.setNoDelay(true);
  socket.on('connect', send);
  socket.on('error', fail);
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    const head = text.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = /content-length: (\d+)/i.exec(text)?.[1];
    if (length === undefined || text.length < head + 4 + Number(length)) return;
    if (!text.startsWith('HTTP/1.1 201')) return fail(new Error(text.slice(0, 500)));
    text = '';
    answered++;
    measured?.push(performance.now() - sentAt);
    send();
  });
}

function fail(error: Error): void {
  console.error(error.message);
  process.exit(1);
}

for (let count = 0; count < CONNECTIONS; count++) drive();
setTimeout(() => {
  measured = [];
  const started = performance.now();
  setTimeout(() => {
    const seconds = (performance.now() - started) / 1_000;
    const times = measured!.toSorted((a, b) => a - b);
    const at = (share: number) => times[Math.floor(times.length * share)]!;
    console.log(JSON.stringify({ rate: times.length / seconds, answered, p50Ms: at(0.5), p99Ms: at(0.99) }));
    process.exit(0);
  }, MEASURE_MS);
}, WARM_UP_MS);

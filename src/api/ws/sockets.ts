// WebSockets: updates of all runs at /ws, of one run at /ws/jobs/{id}. A subscriber is added first and reads the current state afterwards, so no update
// is lost between the two. Each subscriber costs at most one write per tick; one that reads too slowly is closed, never buffered without limit.
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { AppError } from '../../model/errors.ts';
import { maySee } from '../../model/key/key.ts';
import { isFinal, type RunUpdate } from '../../model/run/run.ts';
import type { Log } from '../../observe/log.ts';
import type { Metrics } from '../../observe/metrics/api.ts';
import { updateMessage } from '../articles/views.ts';
import { seesOf } from '../http/access.ts';
import { asRequestError, PROBLEM_TYPE, problemOf, retryAfterSeconds } from '../http/problem.ts';
import { textFrame } from './frame.ts';
import { createFrames } from './update-frames.ts';
import { createUpdateTick, isLater, later } from './update-tick.ts';
import { type Admission, PROTOCOL } from './ws-auth.ts';

export interface SocketOptions {
  /** Decides on an upgrade; rejects with the error to return instead. */
  admit(request: IncomingMessage): Promise<Admission>;
  /** The key of whoever was admitted works no longer. */
  isRevoked(admission: Admission): boolean;
  requestIdOf(request: IncomingMessage): string;
  /** The current state of a run, or null when there is none. */
  stateOf(runId: string): Promise<RunUpdate | null>;
  /** The states that a subscriber to all runs gets first: of one owner, or with null of all. */
  currentStates(sees: string | null): Promise<RunUpdate[]>;
  log: Log;
  metrics: Pick<Metrics, 'sockets' | 'socketsCut'>;
  maxSockets?: number;
  tickMs?: number;
  /** Unsent bytes after which a reader counts as too slow. */
  bufferMaxBytes?: number;
  pingMs?: number;
  /** How often runs without updates are looked up, in case the wire lost their last update. */
  lookUpMs?: number;
}

export interface Sockets {
  attach(server: Server): void;
  see(updates: RunUpdate[]): void;
  close(): Promise<void>;
}

interface Subscriber {
  ws: WebSocket;
  stream: Duplex;
  admission: Admission;
  isAlive: boolean;
  /** Updates since it was added, until its first state was sent. */
  early: Map<string, RunUpdate> | null;
}

interface Watched {
  subscribers: Set<Subscriber>;
  last: RunUpdate | null;
  heardAtMs: number;
}

const LOOK_UPS_MAX = 100;
const EARLY_MAX = 10_000;
const CLOSE_GRACE_MS = 1_000;
const RESTARTS = [1012, 'the server restarts, connect again'] as const;

export function createSockets(options: SocketOptions): Sockets {
  const { maxSockets = 10_000, tickMs = 50, bufferMaxBytes = 1_048_576, pingMs = 30_000, lookUpMs = 5_000 } = options;
  const wss = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    // Subscribers send nothing we need; it is read and dropped.
    maxPayload: 1_024,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  });
  const everyone = new Set<Subscriber>();
  const all = new Set<Subscriber>();
  const watched = new Map<string, Watched>();
  const tick = createUpdateTick(tickMs, handOn);
  const pinging = setInterval(pingAll, pingMs).unref();
  const lookingUp = setInterval(() => {
    closeRevoked();
    void lookUpSilent();
  }, lookUpMs).unref();
  let isClosing = false;

  function write(subscriber: Subscriber, frames: Buffer): void {
    const { ws, stream } = subscriber;
    if (ws.readyState !== ws.OPEN) return;
    // Written past ws, in whole frames that are built once for everyone. Nothing is compressed or split, so ws is never in the middle of a frame.
    if (stream.writableLength <= bufferMaxBytes) stream.write(frames);
    else cut(subscriber, 'slow');
  }

  function cut(subscriber: Subscriber, reason: 'slow' | 'silent'): void {
    options.metrics.socketsCut.inc({ reason });
    if (reason === 'silent') subscriber.ws.terminate();
    else endSoon(subscriber, 1013, 'client reads too slowly, connect again');
  }

  function endSoon({ ws }: Subscriber, code: number, why: string): void {
    ws.close(code, why);
    setTimeout(() => ws.terminate(), CLOSE_GRACE_MS).unref();
  }

  function handOn(updates: RunUpdate[]): void {
    for (const update of updates) tellWatchers(update);
    if (all.size === 0) return;
    const framesFor = createFrames(updates);
    for (const subscriber of all) {
      const frames = framesFor(seenBy(subscriber));
      if (subscriber.early) keepEarly(subscriber.early, frames.updates);
      else if (frames.updates.length > 0)
        write(subscriber, subscriber.admission.isBatch ? frames.batch() : frames.single());
    }
  }

  function tellWatchers(update: RunUpdate): void {
    const run = watched.get(update.runId);
    if (!run) return;
    run.heardAtMs = performance.now();
    if (run.last && !isLater(run.last, update) && !saysWhyAnew(run.last, update)) return;
    run.last = update;
    const frame = textFrame(updateMessage(update));
    for (const subscriber of run.subscribers) if (!subscriber.early) tell(subscriber, update, frame);
  }

  function tell(subscriber: Subscriber, update: RunUpdate, frame = textFrame(updateMessage(update))): void {
    write(subscriber, frame);
    if (isFinal(update.status)) subscriber.ws.close(1000, 'the job has ended');
  }

  async function begin(subscriber: Subscriber, runId: string | null): Promise<void> {
    if (runId === null) {
      all.add(subscriber);
      const states = new Map((await options.currentStates(seenBy(subscriber))).map((state) => [state.runId, state]));
      for (const [id, update] of subscriber.early!) states.set(id, later(states.get(id), update));
      subscriber.early = null;
      const messages = [...states.values()].map(updateMessage);
      if (subscriber.admission.isBatch) write(subscriber, textFrame(`[${messages.join(',')}]`));
      else if (messages.length > 0) write(subscriber, Buffer.concat(messages.map(textFrame)));
      return;
    }
    const run = watched.get(runId) ?? { subscribers: new Set(), last: null, heardAtMs: performance.now() };
    watched.set(runId, run);
    run.subscribers.add(subscriber);
    const state = await options.stateOf(runId);
    if (!state || !maySee(seenBy(subscriber), { owner: state.owner ?? null })) {
      run.subscribers.delete(subscriber);
      subscriber.ws.close(4404, 'unknown job');
      return;
    }
    run.last = run.last ? later(run.last, state) : state;
    subscriber.early = null;
    tell(subscriber, run.last);
  }

  function enter(ws: WebSocket, stream: Duplex, admission: Admission): void {
    const { runId } = admission;
    const subscriber: Subscriber = { ws, stream, admission, isAlive: true, early: new Map() };
    everyone.add(subscriber);
    options.metrics.sockets.set(everyone.size);
    if (isClosing) endSoon(subscriber, ...RESTARTS);
    ws.on('pong', () => {
      subscriber.isAlive = true;
    });
    ws.on('message', () => {});
    // 'close' follows, which cleans up.
    ws.on('error', (error) => options.log.debug('socket.failed', { error: error.message }));
    ws.on('close', () => {
      everyone.delete(subscriber);
      all.delete(subscriber);
      const run = runId === null ? undefined : watched.get(runId);
      run?.subscribers.delete(subscriber);
      if (runId !== null && run?.subscribers.size === 0) watched.delete(runId);
      options.metrics.sockets.set(everyone.size);
    });
    begin(subscriber, runId).catch((error) => {
      options.log.warn('socket.state_unknown', { error });
      ws.close(1011, 'the state of the job cannot be read now, connect again');
    });
  }

  async function onUpgrade(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const requestId = options.requestIdOf(request);
    const onError = () => stream.destroy();
    stream.on('error', onError);
    try {
      if (everyone.size >= maxSockets)
        throw new AppError('unavailable', 'Too many open WebSockets. Try again later.', { retryAfterMs: 10_000 });
      const admission = await options.admit(request);
      stream.off('error', onError);
      wss.handleUpgrade(request, stream, head, (ws) => enter(ws, stream, admission));
    } catch (error) {
      refuse(stream, asRequestError(error), requestId);
    }
  }

  function pingAll(): void {
    for (const subscriber of everyone) {
      if (!subscriber.isAlive) cut(subscriber, 'silent');
      else {
        subscriber.isAlive = false;
        subscriber.ws.ping();
      }
    }
  }

  function closeRevoked(): void {
    for (const subscriber of everyone)
      if (options.isRevoked(subscriber.admission)) endSoon(subscriber, 1008, 'the API key does not work any more');
  }

  /** The wire may lose an update; a watched run without updates is looked up, so that its end is sent anyway. */
  async function lookUpSilent(): Promise<void> {
    const before = performance.now() - lookUpMs;
    const silent = [...watched].filter(([, run]) => run.heardAtMs < before && run.last).slice(0, LOOK_UPS_MAX);
    try {
      for (const [runId, run] of silent) {
        run.heardAtMs = performance.now();
        const state = await options.stateOf(runId);
        if (state) tellWatchers(state);
      }
    } catch (error) {
      options.log.debug('socket.look_up_failed', { error });
    }
  }

  return {
    attach: (server) => server.on('upgrade', (request, stream, head) => void onUpgrade(request, stream, head)),
    see: tick.add,
    async close() {
      isClosing = true;
      clearInterval(pinging);
      clearInterval(lookingUp);
      tick.flush();
      tick.stop();
      const closed = [...everyone].map(({ ws }) => new Promise((resolve) => ws.once('close', resolve)));
      for (const { ws } of everyone) ws.close(...RESTARTS);
      const late = setTimeout(() => {
        for (const { ws } of everyone) ws.terminate();
      }, CLOSE_GRACE_MS);
      await Promise.all(closed);
      clearTimeout(late);
    },
  };
}

const seenBy = ({ admission }: Subscriber): string | null => seesOf(admission.caller);

/** The same state, looked up, with another reason why nothing moves. */
function saysWhyAnew(last: RunUpdate, update: RunUpdate): boolean {
  const isSame = last.status === update.status && last.completed === update.completed && last.failed === update.failed;
  return isSame && update.waiting !== undefined && update.waiting?.message !== last.waiting?.message;
}

/** Updates that arrive before the first state was read are kept, up to a limit that only a stuck store could reach. */
function keepEarly(early: Map<string, RunUpdate>, updates: RunUpdate[]): void {
  for (const update of updates) {
    if (early.size >= EARLY_MAX && !early.has(update.runId)) return;
    early.set(update.runId, later(early.get(update.runId), update));
  }
}

function refuse(stream: Duplex, error: AppError, requestId: string): void {
  const problem = problemOf(error, requestId);
  const body = JSON.stringify(problem);
  const retryAfter = retryAfterSeconds(error);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `content-type: ${PROBLEM_TYPE}; charset=utf-8`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    ...(retryAfter === null ? [] : [`retry-after: ${retryAfter}`]),
    ...(error.code === 'too_many_requests'
      ? Object.entries(error.details ?? {}).map(([name, value]) => `${name}: ${value}`)
      : []),
    'connection: close',
  ];
  stream.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

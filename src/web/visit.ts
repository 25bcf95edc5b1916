// One page for one attempt: picks a session and a proxy, fetches, classifies the response, and updates the score of the session. It retries only what
// another try of the same attempt can fix: a dead proxy, a broken connection, a consent page, a challenge that a browser passes. The orchestrator retries
// everything else.
import { decode } from '../extract/html/charset.ts';
import { AppError, asAppError } from '../model/errors.ts';
import { type Block, recognise } from './blocks/blocks.ts';
import type { Browser, RenderedPage } from './browser/browser.ts';
import type { EngineMemory } from './browser/engine-memory.ts';
import { unpackedFile } from './http/body.ts';
import { type HopPolicies, hop } from './http/hop.ts';
import type { HostMap } from './http/host-map.ts';
import { exchange, follow, type HttpLimits, type HttpRequest, type HttpResponse } from './http/http.ts';
import { statusError } from './http/http-errors.ts';
import { send, type Visitor } from './http/send.ts';
import { type FetchTrace, sendTraced } from './http/send-traced.ts';
import type { Transports } from './http/transports.ts';
import { honestHeaders } from './identity/identity.ts';
import { DIRECT, type Exit, keyOfExit, labelOf } from './identity/proxy.ts';
import type { ProxyPool } from './identity/proxy-pool.ts';
import { keepCookies, type Session, type SessionPool, type SessionRequest } from './identity/session.ts';
import type { AttemptLedger } from './ledger.ts';
import type { Pace } from './pace/pace.ts';
import type { PageOptions, WebPolicy, WebResponse } from './port.ts';
import type { Sights, TakePicture } from './seen.ts';

export interface VisitParts {
  policies: HopPolicies;
  transports: Transports;
  hostMap: HostMap;
  exits: ProxyPool;
  sessions: SessionPool;
  engines: EngineMemory;
  browser: Browser | null;
  userAgent: string;
  maxBytes: number;
  maxPaceWaitMs: number;
  /** The same for the first request of an attempt. */
  firstPaceWaitMs: number;
  /** What the pace of a site calls our own address. */
  directName: string;
}

export interface VisitAttempt {
  source: string;
  signal: AbortSignal;
  timeoutMs: number;
  pace: Pace;
  policy: WebPolicy;
  locality: string;
  locale: string;
  timezone?: string;
  geolocation?: { latitude: number; longitude: number };
  userAgent: string | null;
  /** The task's own proxy, instead of the operator's. */
  exit: Exit | null;
  ledger: AttemptLedger;
  trace: FetchTrace | null;
  /** What it sees is noted there. */
  sights: Sights;
  runId?: string;
  taskId?: string;
}

/** One request and whoever sends it; `choices` until the pace has said by which exit. */
interface Visit {
  session: Session;
  choices: { request: SessionRequest; exits: ReadonlyMap<string, Exit> } | null;
}

export interface Visits {
  fetch(request: HttpRequest, accept: number[]): Promise<WebResponse>;
  render(url: string, options: PageOptions): Promise<WebResponse>;
}

const blockError = ({ reaction, class: kind, rule }: Block, { status }: WebResponse): AppError =>
  new AppError(reaction.code, `${reaction.words} (${kind}: ${rule})`, { details: { block: kind, rule, status } });

/** Tries of one page by one attempt, dead proxies and broken connections together. */
const MAX_TRIES = 4;

export function createVisits(parts: VisitParts, attempt: VisitAttempt): Visits {
  const { exits, sessions, ledger, sights } = { ...parts, ...attempt };
  const identity = attempt.userAgent === null ? (attempt.policy.identity ?? 'honest') : 'honest';
  // Without a claim and without proxies there is nothing to keep together but the cookies of this attempt.
  const needsSession = identity === 'browser' || !exits.isDirectOnly || attempt.exit !== null;
  const plain: Session = plainSession(attempt.locale);
  sights.by(plain);
  let last: Session | undefined;

  const siteOf = (url: string) => `${attempt.source} ${new URL(url).hostname}`;

  const requestFor = (url: string, wants: SessionRequest['identity']): SessionRequest => {
    const tier = exits.tierOf(siteOf(url));
    return {
      source: attempt.source,
      tier,
      locality: attempt.exit === null ? attempt.locality : `${attempt.locality} ${labelOf(attempt.exit)}`,
      locale: attempt.locale,
      identity: wants,
      pickExit: () => attempt.exit ?? exits.pick(tier),
      ...(attempt.timezone === undefined ? {} : { timezone: attempt.timezone }),
      ...(attempt.geolocation === undefined ? {} : { geolocation: attempt.geolocation }),
      ...(last === undefined ? {} : { prefer: last }),
    };
  };

  const enter = async (request: SessionRequest): Promise<Session> => {
    last = await sessions.acquire(request);
    sights.by(last);
    return last;
  };

  /** Who asks for a page. Where several exits would do, the pace decides by which of them, and the session is chosen after that. */
  const approach = async (url: string): Promise<Visit> => {
    if (!needsSession) return { session: plain, choices: null };
    const request = requestFor(url, identity);
    if (attempt.exit !== null || sessions.hasPreferred(request))
      return { session: await enter(request), choices: null };
    const choices = new Map(exits.choices(request.tier).map((exit) => [keyOf(exit), exit]));
    return { session: plain, choices: { request, exits: choices } };
  };

  const keyOf = (exit: Exit): string => keyOfExit(exit, parts.directName);
  const isPrivate = attempt.exit !== null;

  const leave = (session: Session, outcome: Parameters<SessionPool['release']>[1]) => {
    if (session !== plain) sessions.release(session, outcome);
    if (outcome === 'exit-dead') exits.report(session.exit, 'dead');
    else if (outcome === 'blocked') exits.report(session.exit, 'blocked');
    else if (outcome === 'ok') exits.report(session.exit, 'ok');
  };

  const limitsNow = (): HttpLimits => ({
    maxBytes: parts.maxBytes,
    timeoutMs: attempt.timeoutMs,
    deadlineAt: performance.now() + attempt.timeoutMs,
    signal: attempt.signal,
  });

  /** Before its first request an attempt has nothing to lose: it goes back to the queue, and its slot to others. */
  const patience = () =>
    ledger.requests === 0 && parts.firstPaceWaitMs < parts.maxPaceWaitMs
      ? { maxPaceWaitMs: parts.firstPaceWaitMs, goesBack: true }
      : { maxPaceWaitMs: parts.maxPaceWaitMs };

  const fetchOnce = (request: HttpRequest, visit: Visit): Promise<HttpResponse> => {
    const limits = limitsNow();
    const visitor = ({ session }: Visit): Visitor => ({ exit: session.exit, locale: attempt.locale, session });
    const options = {
      transports: parts.transports,
      hostMap: parts.hostMap,
      limits,
      ledger,
      userAgent: attempt.userAgent ?? parts.userAgent,
    };
    const context = {
      pace: attempt.pace,
      ...patience(),
      limits,
      ledger,
      isPersonal: () => visit.session.jar !== null,
      exits: () => (visit.choices === null ? [keyOf(visit.session.exit)] : [...visit.choices.exits.keys()]),
      isPrivate,
      leaveBy: (key: string) => settle(visit, key),
      about: attempt,
      send: sendTraced(attempt.trace, 'http', (outgoing) => send(outgoing, visitor(visit), options)),
    };
    return follow(request, (next) => hop(parts.policies, context, next));
  };

  const settle = async (visit: Visit, key: string): Promise<void> => {
    const { choices } = visit;
    const exit = choices?.exits.get(key);
    if (choices === null || exit === undefined) return;
    visit.choices = null;
    exits.use(exit);
    visit.session = await enter({ ...choices.request, exit });
  };

  /** Turns a recognised block into its error and lowers the score of the session. */
  const refuse = (block: Block, page: WebResponse, session: Session, picture: TakePicture | null = null): never => {
    const { reaction } = block;
    ledger.blocked(block.class === 'captcha');
    leave(session, reaction.session === 'burn' ? 'blocked' : 'ok');
    if (reaction.exit === 'escalate') exits.escalate(siteOf(page.url));
    sights.refused(reaction.code, page, picture);
    throw blockError(block, page);
  };

  const canRender = () => parts.browser !== null && attempt.policy.engine !== 'http';

  const fetch: Visits['fetch'] = async (request, accept) => {
    const site = siteOf(request.url.href);
    const isPlainGet = request.method === 'GET' && request.body === undefined;
    const goesByBrowser =
      attempt.policy.engine === 'browser' || (canRender() && parts.engines.choose(site) === 'browser');
    if (isPlainGet && goesByBrowser) return render(request.url.href, {});

    let hasBroken = false;
    for (let tries = 1; ; tries += 1) {
      const visit = await approach(request.url.href);
      let answer: HttpResponse;
      try {
        answer = await fetchOnce(request, visit);
        const { body, url, headers } = answer;
        answer.body = await unpackedFile(body, url, headers['content-type'], parts.maxBytes);
      } catch (thrown) {
        const error = asAppError(thrown);
        const { session } = visit;
        const isProxys = error.code === 'proxy';
        leave(session, isProxys ? 'exit-dead' : error.code === 'network' ? 'error' : 'throttled');
        // Nothing was sent through a dead proxy; a broken GET may be repeated, once.
        const mayRepeat = isProxys || (error.code === 'network' && isPlainGet && !hasBroken);
        hasBroken ||= error.code === 'network';
        if (mayRepeat && tries < MAX_TRIES && !attempt.signal.aborted) continue;
        sights.nothing();
        throw error;
      }
      const { session } = visit;
      const page = toPage(answer);
      const isAccepted = accept.includes(page.status);
      const block = isAccepted ? null : recognise(page);
      if (block?.reaction.consent && block.cookies.length > 0 && !session.hasConsented) {
        session.hasConsented = true;
        await keepCookies(session, block.cookies, request.url.href);
        leave(session, 'ok');
        continue;
      }
      if (block?.reaction.engine === 'browser' && canRender() && isPlainGet) {
        ledger.blocked(false);
        leave(session, 'ok');
        const shown = await render(request.url.href, {}).catch((error) => {
          // What the site did is known; that we could not look again must not hide it.
          if (asAppError(error).code === 'no_browser') {
            sights.refused(block.reaction.code, page);
            throw blockError(block, page);
          }
          throw error;
        });
        parts.engines.report(site, 'browser');
        return shown;
      }
      if (block !== null) return refuse(block, page, session);
      if (isAccepted || (page.status >= 200 && page.status < 300)) {
        leave(session, 'ok');
        if (parts.browser !== null) parts.engines.report(site, 'http');
        sights.saw(page);
        return page;
      }
      const error = statusError(page.status, page.headers, Date.now());
      const isThrottled = page.status === 429 || page.status === 503;
      if (isThrottled) ledger.throttled();
      leave(session, isThrottled || error.code === 'not_found' ? 'throttled' : 'error');
      sights.refused(error.code, page);
      throw error;
    }
  };

  const render: Visits['render'] = async (url, options) => {
    const { browser } = parts;
    if (browser === null)
      throw new AppError('unsupported_content', 'the page needs a browser, and this worker has none (lane browser)');
    const session = await enter(requestFor(url, 'rendered'));
    const began = performance.now();
    const limits = limitsNow();
    const context = {
      pace: attempt.pace,
      ...patience(),
      limits,
      ledger,
      isPersonal: () => true,
      exits: () => [keyOf(session.exit)],
      isPrivate,
      about: attempt,
    };
    let shown: RenderedPage | null = null;
    let tookMs = 0;
    let answer: HttpResponse;
    try {
      // Guard, robots and pace see the page as they see any other; what it loads besides goes through the guarded proxy.
      answer = await hop(
        parts.policies,
        { ...context, send: sendTraced(attempt.trace, 'browser', throughBrowser), hostLatencyMs: () => tookMs },
        getRequest(url),
      );
    } catch (error) {
      leave(session, asAppError(error).code === 'proxy' ? 'exit-dead' : 'throttled');
      sights.nothing();
      throw error;
    } finally {
      ledger.browserTime(Math.round(tookMs > 0 ? tookMs : performance.now() - began));
    }
    const page = toPage(answer);
    const { picture = null, missing = null } = shown ?? {};
    const block = recognise(page);
    if (block !== null) return refuse(block, page, session, picture);
    const isGood = page.status >= 200 && page.status <= 299;
    const error = isGood ? missing : statusError(page.status, page.headers, Date.now());
    if (error !== null) {
      leave(session, page.status === 429 || page.status === 503 ? 'throttled' : isGood ? 'ok' : 'error');
      sights.refused(error.code, page, picture);
      throw error;
    }
    leave(session, 'ok');
    sights.saw(page, picture);
    return page;

    async function throughBrowser(request: HttpRequest): Promise<HttpResponse> {
      if (browser === null) throw new AppError('internal');
      ledger.request(labelOf(session.exit));
      const { url: proxyUrl } = await parts.transports.guardProxy(session.exit);
      const { href } = request.url;
      const rendered = await browser.render({
        url: href,
        options,
        session,
        proxyUrl,
        timeoutMs: Math.max(1, limits.deadlineAt - performance.now()),
        signal: attempt.signal,
        intercept: parts.hostMap.isEmpty ? null : (address) => fetchMapped(address),
        buttonsOf,
      });
      shown = rendered;
      tookMs = rendered.tookMs;
      await keepCookies(session, rendered.cookies, rendered.url);
      const body = Buffer.from(rendered.html);
      const headers = { ...rendered.headers, 'content-type': 'text/html; charset=utf-8' };
      return {
        url: new URL(rendered.url),
        status: rendered.status,
        headers,
        setCookies: [],
        body,
        wireBytes: body.length,
      };
    }
  };

  /** What a page in the browser asks of a mapped host; for any other host null, since a map is there to keep off the network. */
  const fetchMapped = async (address: string): Promise<HttpResponse | null> => {
    const url = new URL(address);
    parts.policies.guard.checkUrl(url);
    const origin = parts.hostMap.originFor(url.hostname);
    if (origin === null) return null;
    const headers = honestHeaders(parts.userAgent, attempt.locale);
    return exchange({ url, method: 'GET', headers }, { dispatcher: parts.transports.mapped, origin }, limitsNow());
  };

  return { fetch, render };
}

function buttonsOf(html: string, url: string, status: number): string[] {
  return recognise({ url, status, headers: {}, text: html })?.click ?? [];
}

function getRequest(url: string): HttpRequest {
  return { url: new URL(url), method: 'GET', headers: {} };
}

function toPage(answer: HttpResponse): WebResponse {
  const text = decode(answer.body, answer.headers['content-type']);
  // PostgreSQL takes no NUL.
  const clean = text.includes('\0') ? text.replaceAll('\0', '') : text;
  return { url: answer.url.href, status: answer.status, headers: answer.headers, text: clean };
}

function plainSession(locale: string): Session {
  return {
    id: 0,
    key: '',
    exit: DIRECT,
    tier: 0,
    locale,
    timezone: null,
    geolocation: null,
    profile: null,
    headers: null,
    jar: null,
    cookiesSeen: 0,
    uses: 0,
    inUse: 0,
    bornAt: 0,
    score: 0,
    isBurnt: false,
    hasConsented: false,
  };
}

// robots.txt as RFC 9309 reads it, and nothing about fetching it. Pure: text in, answers out.
// What a reader would get wrong: the longest matching rule wins, not the first one; on a tie Allow wins; and the rules for `*` count only
// when no group names us. Paths are compared in one percent-encoded spelling, since both sides write them as they please.

export interface RobotsTxt {
  isAllowed(url: string, agent: string): boolean;
  crawlDelaySeconds(agent: string): number | null;
  sitemaps: string[];
}

interface Rule {
  allow: boolean;
  length: number;
  matches(path: string): boolean;
}

/** Rules that stand together; shared by all agents named above them, since a file may name thousands. */
interface Block {
  rules: Rule[];
  crawlDelaySeconds: number | null;
}

/** Everything said to one agent. */
type Group = Block[];

/** RFC 9309 asks for at least 500 KiB. */
export const ROBOTS_MAX_BYTES = 500 * 1024;

// Misspellings that occur in practice; the rule is obeyed anyway.
const DISALLOW = new Set(['disallow', 'dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw']);
const AGENT = new Set(['user-agent', 'useragent', 'user agent']);
const SITEMAP = new Set(['sitemap', 'site-map']);
/** A missing colon is forgiven where a space stands for it. */
const WITHOUT_COLON = /^(user[- ]?agent|dis?sall?ow|disallow|allow|sitemap|crawl-delay)\s(.+)$/i;
const DELAY = new Set(['crawl-delay', 'crawldelay']);

export function parseRobotsTxt(text: string): RobotsTxt {
  const groups = new Map<string, Group>();
  const sitemaps: string[] = [];
  let current: Block | undefined;
  let isNaming = false;

  for (const { key, value } of directives(text)) {
    if (AGENT.has(key)) {
      if (!isNaming || current === undefined) current = { rules: [], crawlDelaySeconds: null };
      isNaming = true;
      addTo(groups, value.toLowerCase(), current);
    } else if (SITEMAP.has(key)) {
      if (value !== '') sitemaps.push(value);
    } else if (key === 'allow' || DISALLOW.has(key)) {
      isNaming = false;
      if (value !== '') current?.rules.push(toRule(key === 'allow', value));
    } else if (DELAY.has(key)) {
      isNaming = false;
      const seconds = Number(value);
      if (value !== '' && Number.isFinite(seconds) && seconds >= 0 && current) current.crawlDelaySeconds ??= seconds;
    } else isNaming = false;
  }

  // One agent asks, about page after page.
  let asked: { agent: string; group: Group | undefined } | undefined;
  const groupOf = (agent: string): Group | undefined => {
    if (asked?.agent !== agent) asked = { agent, group: findGroup(groups, agent.toLowerCase()) };
    return asked.group;
  };
  return {
    sitemaps,
    isAllowed(url, agent) {
      const path = pathOf(url);
      if (path === '/robots.txt') return true;
      let best: Rule | null = null;
      for (const { rules } of groupOf(agent) ?? []) {
        for (const rule of rules) if (isBetter(rule, best) && rule.matches(path)) best = rule;
      }
      return best?.allow ?? true;
    },
    crawlDelaySeconds: (agent) =>
      groupOf(agent)?.find((block) => block.crawlDelaySeconds !== null)?.crawlDelaySeconds ?? null,
  };
}

const isBetter = (rule: Rule, best: Rule | null): boolean =>
  best === null || rule.length > best.length || (rule.length === best.length && rule.allow && !best.allow);

function* directives(text: string): Iterable<{ key: string; value: string }> {
  for (const raw of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const line = raw.split('#', 1)[0]!.trim();
    const colon = line.indexOf(':');
    if (colon > 0) yield { key: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1).trim() };
    else if (colon < 0) {
      const [, key, value] = WITHOUT_COLON.exec(line) ?? [];
      if (key !== undefined && value !== undefined) yield { key: key.toLowerCase(), value: value.trim() };
    }
  }
}

function addTo(groups: Map<string, Group>, name: string, block: Block): void {
  const group = groups.get(name);
  if (group === undefined) groups.set(name, [block]);
  else if (group.at(-1) !== block) group.push(block);
}

/** The group with the longest name that is ours; groups of one name were merged while reading. */
function findGroup(groups: Map<string, Group>, agent: string): Group | undefined {
  let best: { length: number; group: Group } | undefined;
  // `Mozilla/5.0 (compatible; Name/1.0)` names itself in any of its words.
  const words = agent.split(/[\s;,()]+/);
  for (const [name, group] of groups) {
    const first = name.split(/\s/)[0] ?? '';
    if (name === '*' || first === '') continue;
    const isOurs = name === agent || words.some((word) => word.startsWith(first));
    if (isOurs && (best === undefined || name.length > best.length)) best = { length: name.length, group };
  }
  return best?.group ?? groups.get('*');
}

function toRule(allow: boolean, value: string): Rule {
  const isAbsolute = /^https?:\/\//i.test(value);
  const pattern = isAbsolute ? pathOf(value) : value;
  const isAnchored = pattern.endsWith('$');
  // Taken apart before the escapes are undone: %2A and %24 stand for the characters themselves.
  const parts = (isAnchored ? pattern.slice(0, -1) : pattern).split('*').map(normalisePath);
  return { allow, length: pattern.length, matches: (path) => matchesParts(path, parts, isAnchored) };
}

/** Wildcards without a regular expression: a hostile file could otherwise make matching take forever. */
function matchesParts(path: string, parts: string[], isAnchored: boolean): boolean {
  const [head = '', ...rest] = parts;
  if (!path.startsWith(head)) return false;
  if (rest.length === 0) return !isAnchored || path.length === head.length || path.slice(head.length) === '$';
  let at = head.length;
  for (const [index, part] of rest.entries()) {
    const isLast = index === rest.length - 1;
    if (isLast && isAnchored) return path.length - part.length >= at && path.endsWith(part);
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

function pathOf(url: string): string {
  if (url === '') return '/';
  const withoutOrigin = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').split('#', 1)[0]!;
  return normalisePath(withoutOrigin.startsWith('/') ? withoutOrigin : `/${withoutOrigin}`);
}

/** One spelling: what no URL may hold is escaped, escapes in capitals, escapes of characters without a meaning of their own undone. */
function normalisePath(path: string): string {
  return path
    .replace(/[^\x21-\x7e]+|["<>\\^`{|}]/gu, (chars) => encodeURIComponent(chars.toWellFormed()))
    .replace(/%[0-9a-f]{2}/gi, (code) => {
      const char = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[A-Za-z0-9\-._~$*!'()]/.test(char) ? char : code.toUpperCase();
    });
}

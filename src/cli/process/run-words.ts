// The end of a run in words: what was asked for, what it brought, in what time. The fields of `run.settled` in, those of its sentence out.
const NOUNS: Record<string, string> = {
  article: 'article',
  posting: 'posting',
  company: 'position',
  cart: 'item',
  crawl: 'page',
};
const WHAT: Record<string, string> = {
  posting: 'search',
  company: 'companies',
  cart: 'cart',
  crawl: 'crawl',
  map: 'map',
};

export function runWords(fields: Record<string, unknown>): Record<string, unknown> {
  const { run_id, kind, status, failed, sources, items, seconds } = fields;
  const isWhole = status === 'completed' && failed === 0;
  const what = WHAT[String(kind)];
  const names = kind === 'posting' && Array.isArray(sources) ? ` ${sources.join(', ')}` : '';
  return {
    run_id,
    mark: isWhole ? '✓' : status === 'completed' ? '!' : '✗',
    ...(what ? { what: `${what}${names}` } : {}),
    ...(typeof items === 'number' ? { brought: counted(items, NOUNS[String(kind)] ?? 'task') } : {}),
    ...(typeof seconds === 'number' ? { duration: duration(seconds) } : {}),
    ...(typeof items === 'number' && typeof seconds === 'number' ? { rate: rateOf(items, seconds) } : {}),
    ...(typeof failed === 'number' && failed > 0 ? { failures: failed } : {}),
  };
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `3.2 s`, `2 min 5 s` */
function duration(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Left out where it would say nothing. */
function rateOf(items: number, seconds: number): string | null {
  if (items === 0 || seconds <= 0) return null;
  const rate = items / seconds;
  return rate < 10 ? rate.toFixed(1) : String(Math.round(rate));
}

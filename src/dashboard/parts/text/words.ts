// Numbers, sizes and times as people read them. Pure.
const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });

export const count = (value: number): string => whole.format(value);
/** Past ten thousand as `12.3K`. */
export const shortCount = (value: number): string =>
  Math.abs(value) < 10_000 ? whole.format(value) : short.format(value);
/** `1 task`, `2 tasks`. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;
export const percent = (share: number | null): string =>
  share === null
    ? '–'
    : `${share === 0 || share === 1 || share >= 0.1 ? Math.round(share * 100) : Math.round(share * 1_000) / 10} %`;

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];
export function bytes(value: number): string {
  let unit = 0;
  let size = value;
  while (size >= 1_000 && unit < UNITS.length - 1) {
    size /= 1_000;
    unit++;
  }
  return `${size < 10 && unit > 0 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit]}`;
}

/** `3 s`, `4 min`, `2 h 5 min`, `3 d`. */
export function duration(seconds: number): string {
  if (seconds < 0.95) return `${Math.round(seconds * 1_000)} ms`;
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60)
    return `${minutes} min${minutes < 5 && Math.round(seconds % 60) > 0 ? ` ${Math.round(seconds % 60)} s` : ''}`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h${minutes % 60 > 0 && hours < 12 ? ` ${minutes % 60} min` : ''}`;
  return `${Math.floor(hours / 24)} d`;
}

/** `just now`, `12 s ago`, `in 4 min`. */
export function relative(atMs: number, nowMs: number): string {
  const seconds = (nowMs - atMs) / 1_000;
  if (Math.abs(seconds) < 1.5) return 'just now';
  const text = roughly(Math.abs(seconds));
  return seconds > 0 ? `${text} ago` : `in ${text}`;
}

function roughly(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  if (seconds < 86_400 * 60) return `${Math.round(seconds / 86_400)} d`;
  if (seconds < 86_400 * 700) return `${Math.round(seconds / (86_400 * 30.4))} mo`;
  return `${Math.round(seconds / (86_400 * 365))} y`;
}

export const exactTime = (atMs: number): string => exact.format(atMs);

/** Text of others, cut for a line. */
export const shorten = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1)}…`;

// Skills named in a text, from a fixed list. It is a list of names, not of meanings: "Go" counts only where it is written as a name.
import names from './skills.json' with { type: 'json' };

const literally = (name: string) => name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/ /g, '[\\s-]+');
const EVERYDAY = new Set([
  'Go',
  'Spring',
  'Express.js',
  'Swift',
  'Lean',
  'Epic',
  'Excel',
  'Looker',
  'Sketch',
  'Unity',
  'REST',
  'Oracle',
  'Spark',
  'Hive',
  'Helm',
  'Kafka',
  'Rust',
  'Ruby',
  'Workday',
  'Express',
  'Flask',
  'Airflow',
  'Scala',
  'Cypress',
  'Jest',
  'UI',
  'UX',
  'SEM',
  'SAS',
]);
const longestFirst = (list: string[]) =>
  [...list]
    .sort((a, b) => b.length - a.length)
    .map(literally)
    .join('|');
const finder = (list: string[], flags: string) =>
  new RegExp(`(?<![\\p{L}\\d.@/+-])(?:${longestFirst(list)})(?![\\p{L}\\d+#]|\\.\\p{L})`, flags);
/** Words of everyday language are skills only as written; "Go" also not at the start of a sentence. */
const EXACT = finder(
  [...EVERYDAY].filter((name) => names.includes(name)),
  'gu',
);
const LOOSE = finder(
  names.filter((name) => !EVERYDAY.has(name)),
  'giu',
);
const SPELLED = new Map(names.map((name) => [key(name), name]));
const SAME: Record<string, string> = { golang: 'Go', 'vue.js': 'Vue', 'google cloud': 'GCP' };
const MAX_CHARS = 40_000;
const MAX_SKILLS = 60;

function key(name: string): string {
  return name.toLowerCase().replace(/[\s-]+/g, ' ');
}

export function skillsIn(text: string): string[] {
  if (text === '') return [];
  const found = new Set<string>();
  const part = text.slice(0, MAX_CHARS);
  for (const match of part.matchAll(LOOSE)) add(found, match[0]);
  for (const match of part.matchAll(EXACT)) {
    const isVerb =
      match[0] === 'Go' && /(?:^|[.!?\n•]\s{0,3})$|\bto $/.test(part.slice(Math.max(0, match.index - 3), match.index));
    const isCommon = match[0] === 'Excel' && /^\s+(?:in|at)\b/.test(part.slice(match.index + 5));
    if (!isVerb && !isCommon) add(found, match[0]);
  }
  return [...found];
}

function add(found: Set<string>, written: string): void {
  const name = SPELLED.get(key(written));
  if (name !== undefined && found.size < MAX_SKILLS) found.add(SAME[key(name)] ?? name);
}

// The changelog as the release reads and writes it (keepachangelog.com): `## Unreleased` on top, then `## 1.2.3 - 2026-01-31`, each with `### Added`,
// `### Changed`, `### Fixed` and so on. What a version means is semver.org's, with the rule for 0.x: there a minor version may break things.

export type Step = 'major' | 'minor' | 'patch';

const UNRELEASED = /^## Unreleased[ \t]*$/m;
const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;
/** Headings under which nothing can need a change on the user's side. */
const HARMLESS = new Set(['Fixed', 'Security']);
/** How an entry says that something stops working as it did. */
const BREAKING = /^### Removed[ \t]*$|\*\*Breaking\b/m;

/** What stands under `## Unreleased`, without the heading. */
export function unreleased(changelog: string): string {
  const heading = UNRELEASED.exec(changelog);
  if (!heading) throw new Error('CHANGELOG.md has no line `## Unreleased`');
  const rest = changelog.slice(heading.index + heading[0].length);
  const next = rest.search(/^## /m);
  return (next === -1 ? rest : rest.slice(0, next)).trim();
}

/** How far the version moves for these changes; undefined when there are none. */
export function stepFor(changes: string, current: string): Step | undefined {
  if (!/^\s*- /m.test(changes)) return undefined;
  const headings = [...changes.matchAll(/^### (\w+)/gm)].map(([, name]) => name!);
  if (headings.length > 0 && headings.every((name) => HARMLESS.has(name))) return 'patch';
  return BREAKING.test(changes) && !current.startsWith('0.') ? 'major' : 'minor';
}

/** `wanted` is a step, or the version itself. */
export function nextVersion(current: string, wanted: string): string {
  const [major, minor, patch] = partsOf(current);
  if (wanted === 'major') return `${major + 1}.0.0`;
  if (wanted === 'minor') return `${major}.${minor + 1}.0`;
  if (wanted === 'patch') return `${major}.${minor}.${patch + 1}`;
  const asked = partsOf(wanted);
  const differs = asked.findIndex((part, i) => part !== [major, minor, patch][i]);
  if (differs === -1 || asked[differs]! < [major, minor, patch][differs]!)
    throw new Error(`${wanted} does not come after ${current}`);
  return wanted;
}

/** The changelog with what was unreleased under its version, and an empty `## Unreleased` above. */
export function withRelease(changelog: string, version: string, date: string): string {
  return changelog.replace(UNRELEASED, `## Unreleased\n\n## ${version} - ${date}`);
}

function partsOf(version: string): [number, number, number] {
  const match = VERSION.exec(version);
  if (!match) throw new Error(`"${version}" is neither major, minor, patch nor a version such as 1.2.3`);
  return [Number(match[1]), Number(match[2]), Number(match[3])];
}

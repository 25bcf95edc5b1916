// Where the embedded PostgreSQL can run: macOS, and Linux with glibc. Its programs are built for those.
const REMEDY = 'Set DATABASE_URL to a PostgreSQL 15 or newer';

/** Why not here, and what to do; null where it can. */
export function embeddedProblem({ platform, isGlibc }: { platform: string; isGlibc: boolean }): string | null {
  if (platform === 'win32') return `The embedded PostgreSQL does not run on Windows. ${REMEDY}, or use WSL.`;
  if (platform === 'linux' && !isGlibc)
    return `The embedded PostgreSQL needs glibc, and this Linux has musl (Alpine). ${REMEDY}, or use an image with glibc, such as Debian.`;
  return null;
}

/** Node says which glibc it runs on, and nothing with another C library. */
export function hasGlibc(): boolean {
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return header?.glibcVersionRuntime !== undefined;
}

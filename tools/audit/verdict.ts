// What `npm audit --json` said. Three answers, because a registry that does not know advisories is neither safe nor unsafe.
export interface Verdict {
  outcome: 'clean' | 'advisories' | 'unknown';
  lines: string[];
}

interface Answer {
  vulnerabilities?: Record<string, { severity: string; range?: string; fixAvailable?: unknown }>;
  message?: string;
}

export function verdictOf(stdout: string): Verdict {
  const answer = parsed(stdout);
  if (answer?.vulnerabilities === undefined) {
    const why = answer?.message ?? stdout.trim().slice(0, 300);
    return {
      outcome: 'unknown',
      lines: [`Not checked: the registry knows no advisories here (${why || 'no answer'}).`],
    };
  }
  const found = Object.entries(answer.vulnerabilities);
  if (found.length === 0) return { outcome: 'clean', lines: ['No advisory for a production package.'] };
  return {
    outcome: 'advisories',
    lines: [
      ...found.map(([name, { severity, range = '*' }]) => `${severity}: ${name} ${range}`),
      'Update what brings them in (npm explain <name>), or set a version under "overrides" in package.json.',
    ],
  };
}

function parsed(text: string): Answer | null {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    // npm prints plain text when it got no answer at all.
    return null;
  }
}

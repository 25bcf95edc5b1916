import { expect, test } from 'vitest';
import { verdictOf } from './verdict.ts';

test('no advisory, an advisory, and a registry that has none are three answers', () => {
  expect(verdictOf('{"auditReportVersion":2,"vulnerabilities":{}}').outcome).toBe('clean');
  const found = '{"vulnerabilities":{"undici":{"severity":"high","range":"<7.18.2"}}}';
  expect(verdictOf(found)).toMatchObject({
    outcome: 'advisories',
    lines: ['high: undici <7.18.2', expect.any(String)],
  });
  for (const text of ['{"message":"405 Method Not Allowed","statusCode":405}', '', 'npm error network', '[]'])
    expect(verdictOf(text), text).toMatchObject({ outcome: 'unknown', lines: [expect.stringMatching(/^Not checked/)] });
});

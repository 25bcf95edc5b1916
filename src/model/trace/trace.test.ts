import { expect, test } from 'vitest';
import { formatTraceparent, isSampled, parseTraceparent, traceField } from './trace.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

test('a context is read and written as W3C Trace Context says', () => {
  const text = `00-${TRACE}-${SPAN}-01`;
  expect(parseTraceparent(text)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: true });
  expect(formatTraceparent(parseTraceparent(text)!)).toBe(text);
  expect(isSampled(`00-${TRACE}-${SPAN}-00`)).toBe(false);
  expect(traceField(text)).toEqual({ trace_id: TRACE });
  // Later versions may add to it, and other flags mean nothing to us.
  expect(parseTraceparent(`01-${TRACE}-${SPAN}-03-more`)?.isSampled).toBe(true);
  expect(parseTraceparent(`cc-${TRACE}-${SPAN}-00`)?.traceId).toBe(TRACE);
});

test.each([
  undefined,
  null,
  '',
  'undefined',
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-01-more`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `ff-${TRACE}-${SPAN}-01`,
  `01-${TRACE}-${SPAN}-01more`,
  `00-${TRACE}-${SPAN}-01${' '.repeat(600)}`,
])('%j is no context', (text) => {
  expect(parseTraceparent(text)).toBeNull();
  expect(traceField(text)).toEqual({});
});

import { closeSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createLineWriter } from './line-writer.ts';

test('on a full disk lines are lost and counted, and the process goes on', () => {
  const full = openSync('/dev/full', 'w');
  const write = createLineWriter(full);
  write('one\n');
  write('two\nthree\n');
  closeSync(full);
});

test('the first write that works again says how many lines were lost', () => {
  let isFull = false;
  let text = '';
  const write = createLineWriter(-1, (bytes) => {
    if (isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    // Short writes are what a disk does that is about to be full.
    text += Buffer.from(bytes.subarray(0, 3)).toString();
    return Math.min(3, bytes.length);
  });
  write('first\n');
  isFull = true;
  write('lost\n');
  write('lost\nlost\n');
  isFull = false;
  write('again\n');
  const [first, cut, lost, again] = text.split('\n');
  expect([first, cut, again]).toEqual(['first', '', 'again']);
  expect(JSON.parse(lost!)).toMatchObject({ event: 'log.lines_lost', lines: 3 });
});

test('a busy pipe is written to again, a closed one never', () => {
  const codes = ['EAGAIN', null, 'EPIPE', null];
  let text = '';
  const write = createLineWriter(-1, (bytes) => {
    const code = codes.shift();
    if (code) throw Object.assign(new Error(code), { code });
    text += Buffer.from(bytes).toString();
    return bytes.length;
  });
  write('one\n');
  write('two\n');
  write('three\n');
  expect(text).toBe('one\n');
});

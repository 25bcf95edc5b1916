import { closeSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createLineWriter } from './line-writer.ts';

test('on a full disk lines are lost and counted, and the process goes on', () => {
  const full = openSync('/dev/full', 'w');
  const { write, flush } = createLineWriter(full);
  write('one\n');
  write('two\nthree\n');
  flush();
  closeSync(full);
});

test('the first write that works again says how many lines were lost', () => {
  let isFull = false;
  let text = '';
  const { write } = createLineWriter(-1, { writeSome });
  function writeSome(bytes: Uint8Array): number {
    if (isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    // Short writes are what a disk does that is about to be full.
    text += Buffer.from(bytes.subarray(0, 3)).toString();
    return Math.min(3, bytes.length);
  }
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
  const writeSome = (bytes: Uint8Array): number => {
    const code = codes.shift();
    if (code) throw Object.assign(new Error(code), { code });
    text += Buffer.from(bytes).toString();
    return bytes.length;
  };
  const { write } = createLineWriter(-1, { isSync: true, writeSome });
  write('one\n');
  write('two\n');
  write('three\n');
  expect(text).toBe('one\n');
});

test('for a reader that stopped reading nobody waits long, and what it missed is counted when it reads again', () => {
  let isStuck = true;
  let text = '';
  const writeSome = (bytes: Uint8Array): number => {
    if (isStuck) throw Object.assign(new Error('EAGAIN'), { code: 'EAGAIN' });
    text += Buffer.from(bytes).toString();
    return bytes.length;
  };
  const { write, flush } = createLineWriter(-1, { writeSome });
  const line = `${'x'.repeat(1_023)}\n`;
  for (let n = 0; n < 10_000; n++) write(line);
  flush();
  expect(text).toBe('');
  isStuck = false;
  flush();
  write('again\n');
  flush();
  const kept = text.split('\n').filter((one) => one.startsWith('x')).length;
  expect(kept).toBeGreaterThan(1_000);
  const [, lost] = /(\{.*\})\nagain\n$/.exec(text)!;
  expect(JSON.parse(lost!)).toMatchObject({ event: 'log.lines_lost', lines: 10_000 - kept });
});

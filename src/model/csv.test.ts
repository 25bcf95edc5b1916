import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test('A5: cells that a spreadsheet would run stay text', () => {
  expect(csvLine(['=1+1', '+a', '-b', '@c', '\tx', ' =2'])).toBe("'=1+1,'+a,'-b,'@c,'\tx,' =2\r\n");
});

test('quotes, commas and line ends are kept inside their cell', () => {
  expect(csvLine(['a "b"', 'c,d', 'e\nf', null, 5, true])).toBe('"a ""b""","c,d","e\nf",,5,true\r\n');
});

import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { decode, decodeWithOrigin, mendDoubleEncoding } from './charset.ts';

const page = (text: string, head = '') =>
  `<html><head>${head}<title>x</title></head><body><p>${text}</p></body></html>`;

test('a byte-order mark wins over a wrong header', () => {
  const bytes = iconv.encode(page('naïve'), 'utf-16le', { addBOM: true });
  expect(decodeWithOrigin(bytes, 'text/html; charset=iso-8859-1')).toMatchObject({ charset: 'utf-16le', from: 'bom' });
  expect(decode(bytes)).toContain('naïve');
});

test('the header decides before the document', () => {
  const bytes = iconv.encode(page('Привет, мир', '<meta charset="iso-8859-1">'), 'windows-1251');
  expect(decode(bytes, 'text/html; charset=windows-1251')).toContain('Привет, мир');
});

test('the document decides when the header is silent, in either spelling of meta', () => {
  const old = '<meta http-equiv="Content-Type" content="text/html; charset=EUC-JP">';
  expect(decode(iconv.encode(page('日本語の記事', old), 'euc-jp'), 'text/html')).toContain('日本語の記事');
  expect(decode(iconv.encode(page('中文文章', '<meta charset=gb2312>'), 'gbk'))).toContain('中文文章');
});

test('valid UTF-8 is UTF-8 whatever was declared', () => {
  const bytes = Buffer.from(page('Café – “quoted”', '<meta charset="iso-8859-1">'));
  expect(decodeWithOrigin(bytes, 'text/html; charset=ISO-8859-1')).toMatchObject({
    charset: 'utf-8',
    from: 'utf8-bytes',
  });
  expect(decode(bytes)).toContain('Café – “quoted”');
});

test('declared UTF-8 that is something else is guessed', () => {
  const russian = 'Это обычная статья на русском языке без всякого объявления кодировки. '.repeat(5);
  expect(decode(iconv.encode(page(russian), 'windows-1251'), 'text/html; charset=utf-8')).toContain('обычная статья');
  expect(decode(iconv.encode(page('これは日本語の記事です。ひらがなとカタカナ。'.repeat(4)), 'shift_jis'))).toContain(
    '日本語',
  );
  expect(decode(iconv.encode(page('Le café déjà fermé'), 'windows-1252'))).toContain('café déjà');
});

test('a UTF-8 page with a broken byte stays UTF-8', () => {
  const bytes = Buffer.concat([Buffer.from(page('schöne Grüße, äöü')), Buffer.from([0xff])]);
  expect(decode(bytes, 'text/html; charset=utf-8')).toContain('schöne Grüße');
});

test('unknown names and empty bodies are no error', () => {
  expect(decode(Buffer.from('plain'), 'text/html; charset=no-such-thing')).toBe('plain');
  expect(decode(new Uint8Array(0))).toBe('');
});

test('text that was encoded twice is read right, and other text is left alone', () => {
  expect(mendDoubleEncoding('Investor\u00e2\u0080\u0099s caf\u00c3\u00a9')).toBe('Investor’s café');
  expect(mendDoubleEncoding('Investorâ€™s “guide”')).toBe('Investor’s “guide”');
  expect(mendDoubleEncoding('Âge d’or, Ã\u00a9')).toBe('Âge d’or, Ã\u00a9');
});

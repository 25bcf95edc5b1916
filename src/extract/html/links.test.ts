import { expect, test } from 'vitest';
import { linksIn } from './links.ts';
import { readSitemap } from './sitemap.ts';

const AT = 'https://acme.example/a/b';
const urls = (html: string, more: { max?: number; robots?: string } = {}) =>
  linksIn(html, AT, { max: 100, ...more }).links;

test('links are absolute, each once, without fragments and without what is no page', () => {
  const html = `<a href="c">1</a><a href="/d#x">2</a><a href='/d#y'>3</a><a href="//other.example/e">4</a>
    <a href="mailto:a@b.example">5</a><a href="javascript:void(0)">6</a><a>7</a><area href="/f"><link rel="next" href="?page=2">
    <link rel="stylesheet" href="/s.css"><a href=" /g ">8</a>`;
  expect(urls(html).map(({ url }) => url)).toEqual([
    'https://acme.example/a/c',
    'https://acme.example/d',
    'https://other.example/e',
    'https://acme.example/f',
    'https://acme.example/a/b?page=2',
    'https://acme.example/g',
  ]);
});

test('the base of a page counts from where it stands', () => {
  expect(urls('<base href="/x/"><a href="y">1</a>')[0]!.url).toBe('https://acme.example/x/y');
});

test('nofollow of a link, of a page and of an answer', () => {
  expect(urls('<a rel="noopener nofollow" href="/a">1</a><a href="/b">2</a>')).toEqual([
    { url: 'https://acme.example/a', nofollow: true },
    { url: 'https://acme.example/b' },
  ]);
  expect(urls('<a rel="nofollow" href="/a">1</a><a href="/a">2</a>')).toEqual([{ url: 'https://acme.example/a' }]);
  expect(urls('<meta name="robots" content="noindex, nofollow"><a href="/a">1</a>')[0]!.nofollow).toBe(true);
  expect(urls('<a href="/a">1</a>', { robots: 'none' })[0]!.nofollow).toBe(true);
  expect(urls('<a href="/a">1</a>', { robots: 'noindex' })[0]!.nofollow).toBeUndefined();
});

test('of very many links the first are taken, and the others counted', () => {
  const html = Array.from({ length: 500 }, (_, n) => `<a href="/${n}">x</a>`).join('');
  const { links, cut } = linksIn(html, AT, { max: 100 });
  expect([links.length, cut]).toEqual([100, 400]);
});

test('the title is that of the page, not of a picture in it', () => {
  expect(linksIn('<title> A &amp;\n B </title><svg><title>icon</title></svg>', AT, { max: 1 }).title).toBe('A & B');
});

test('a sitemap, an index of sitemaps and a list of addresses', () => {
  const xml = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://i">
    <url><loc> https://acme.example/1 </loc><image:image><image:loc>https://acme.example/1.png</image:loc></image:image></url>
    <url><loc>/2?a=1&amp;b=2</loc></url><url><loc>ftp://acme.example/3</loc></url></urlset>`;
  expect(readSitemap(xml, AT)).toEqual({
    urls: ['https://acme.example/1', 'https://acme.example/2?a=1&b=2'],
    sitemaps: [],
  });
  const index = '<sitemapindex><sitemap><loc>https://acme.example/s1.xml</loc></sitemap></sitemapindex>';
  expect(readSitemap(index, AT)).toEqual({ urls: [], sitemaps: ['https://acme.example/s1.xml'] });
  expect(readSitemap('https://acme.example/1\r\nnonsense\nhttps://acme.example/2', AT).urls).toHaveLength(2);
  expect(readSitemap('<html><a href="/x">not a sitemap</a></html>', AT)).toEqual({ urls: [], sitemaps: [] });
});

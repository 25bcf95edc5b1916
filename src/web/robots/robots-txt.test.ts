import { expect, test } from 'vitest';
import { parseRobotsTxt } from './robots-txt.ts';

const allowed = (robots: string, url: string, agent = 'Windrow') => parseRobotsTxt(robots).isAllowed(url, agent);

test('the longest rule wins, and Allow wins a tie', () => {
  const robots =
    'User-agent: *\nDisallow: /shop\nAllow: /shop/public\nDisallow: /shop/public/secret\nAllow: /same\nDisallow: /same';
  expect(allowed(robots, 'https://a.example/shop/cart')).toBe(false);
  expect(allowed(robots, 'https://a.example/shop/public/1')).toBe(true);
  expect(allowed(robots, 'https://a.example/shop/public/secret/1')).toBe(false);
  expect(allowed(robots, 'https://a.example/same')).toBe(true);
});

test('a group that names us replaces the group for all', () => {
  const robots = 'User-agent: *\nDisallow: /\n\nUser-agent: windrow\nDisallow: /mine\n';
  expect(allowed(robots, 'https://a.example/x')).toBe(true);
  expect(allowed(robots, 'https://a.example/mine')).toBe(false);
  expect(allowed(robots, 'https://a.example/x', 'Other')).toBe(false);
});

test('several names share a group, and several groups of one name are one', () => {
  const robots =
    'User-agent: a\nUser-agent: windrow\nDisallow: /one\n\nUser-agent: b\nDisallow: /\n\nUser-agent: windrow\nDisallow: /two';
  expect(allowed(robots, 'https://a.example/one')).toBe(false);
  expect(allowed(robots, 'https://a.example/two')).toBe(false);
  expect(allowed(robots, 'https://a.example/three')).toBe(true);
});

test('stars and a dollar at the end', () => {
  const robots = 'User-agent: *\nDisallow: /*.pdf$\nDisallow: /a*b*c\n';
  expect(allowed(robots, 'https://a.example/x/file.pdf')).toBe(false);
  expect(allowed(robots, 'https://a.example/x/file.pdf?download=1')).toBe(true);
  expect(allowed(robots, 'https://a.example/a--b--c--')).toBe(false);
  expect(allowed(robots, 'https://a.example/a--c--b')).toBe(true);
});

test('a wildcard made to be slow is still quick', () => {
  const robots = `User-agent: *\nDisallow: /${'*a'.repeat(200)}$\n`;
  // CPU, not the clock: the machine may be busy.
  const began = process.cpuUsage();
  allowed(robots, `https://a.example/${'a'.repeat(5_000)}b`);
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(5_000);
});

test('both sides may be percent-encoded or not', () => {
  expect(allowed('User-agent: *\nDisallow: /grüße', 'https://a.example/gr%c3%bc%C3%9fe/1')).toBe(false);
  expect(allowed('User-agent: *\nDisallow: /a%2Fb', 'https://a.example/a/b')).toBe(true);
  expect(allowed('User-agent: *\nDisallow: /%7Ejoe', 'https://a.example/~joe/')).toBe(false);
});

test('the query is part of the path, the fragment is not', () => {
  const robots = 'User-agent: *\nDisallow: /*?print=\n';
  expect(allowed(robots, 'https://a.example/x?print=1')).toBe(false);
  expect(allowed(robots, 'https://a.example/x#?print=1')).toBe(true);
});

test('an empty Disallow forbids nothing, and robots.txt itself is always open', () => {
  expect(allowed('User-agent: *\nDisallow:', 'https://a.example/x')).toBe(true);
  expect(allowed('User-agent: *\nDisallow: /', 'https://a.example/robots.txt')).toBe(true);
});

test('comments, byte-order marks, odd line ends and missing colons are forgiven', () => {
  const robots = '\uFEFFuser-agent: * # all\r\rDISALLOW: /a # not this\ndisallow /b\nDissallow: /c';
  for (const path of ['/a', '/b', '/c']) expect(allowed(robots, `https://a.example${path}`)).toBe(false);
  expect(allowed(robots, 'https://a.example/d')).toBe(true);
});

test('crawl delay and sitemaps are read, nonsense is not', () => {
  const robots =
    'Sitemap: https://a.example/s.xml\nUser-agent: *\nCrawl-delay: soon\nUser-agent: windrow\nCrawl-delay: 2.5\nSitemap: /t.xml';
  const file = parseRobotsTxt(robots);
  expect(file.crawlDelaySeconds('Windrow')).toBe(2.5);
  expect(file.crawlDelaySeconds('Other')).toBeNull();
  expect(file.sitemaps).toEqual(['https://a.example/s.xml', '/t.xml']);
});

test('a file of very many agents and rules is read in linear time, and each agent has the rules below it', () => {
  const agents = Array.from({ length: 18_000 }, (_, n) => `User-agent: a${n}`);
  const rules = Array.from({ length: 15_000 }, (_, n) => `Disallow: /${n}/`);
  const robots = parseRobotsTxt(
    [...agents, ...rules, 'Crawl-delay: 3', 'User-agent: a7', 'Disallow: /own/'].join('\n'),
  );
  expect(robots.isAllowed('https://a.test/14999/x', 'a17999')).toBe(false);
  expect(robots.isAllowed('https://a.test/own/x', 'a17999')).toBe(true);
  expect(robots.isAllowed('https://a.test/own/x', 'a7')).toBe(false);
  expect(robots.crawlDelaySeconds('a7')).toBe(3);
});

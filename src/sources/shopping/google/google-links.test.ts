import { expect, test } from 'vitest';
import { deferredImages, withInjected } from './google-embedded.ts';
import { panelLink, unwrapLink } from './google-links.ts';

const BASE = 'https://www.google.com/search?q=x';

test.each([
  [
    '/url?q=https://shop.example/p/1%3Fcolor%3Dred%26utm_source%3Dg&opi=1&sa=U&ved=0&usg=x',
    'https://shop.example/p/1?color=red',
  ],
  ['/url?url=https://shop.example/p/1&sa=t', 'https://shop.example/p/1'],
  ['/aclk?sa=L&adurl=https://shop.example/p/1%3Fgclid%3Dabc', 'https://shop.example/p/1'],
  ['https://shop.example/p/1?srsltid=zz', 'https://shop.example/p/1'],
])('%s leads to %s', (href, target) => {
  expect(unwrapLink(href, BASE)).toBe(target);
});

test('links that say nothing lead nowhere', () => {
  for (const href of [
    '/aclk?sa=L&adurl=',
    '/goto?url=opaque',
    '/url?q=/shopping/product/1',
    '/url?q=https://www.google.com/shopping/ratings',
    'javascript:void(0)',
    '/url?q=javascript:alert(1)',
    '',
    null,
  ])
    expect(unwrapLink(href, BASE), String(href)).toBeNull();
});

test('the panel of a product is addressed by the ids of its card', () => {
  const link = new URL(panelLink({ google_oid: '1', google_gid: '2' }, 'milk')!);
  expect(link.searchParams.get('prds')).toBe('headlineOfferDocid:1,gpcid:2,pvt:hg');
  expect(panelLink({}, 'milk')).toBeNull();
});

test('parts that scripts put in later are read too', () => {
  const html = `<script>window.jsl.dh('_x1','\\x3cli class\\x3d\\x22a\\x22\\x3eit\\'s \\u00a32\\x3c/li\\x3e');google.ldi={"dimg_1":"https://img.example/a\\u003dw"};</script>`;
  expect(withInjected(html)).toContain('<li class="a">it\'s £2</li>');
  expect(deferredImages(html)).toEqual(new Map([['dimg_1', 'https://img.example/a=w']]));
});

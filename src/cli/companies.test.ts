import { expect, test } from 'vitest';
import { nameOf } from './companies.ts';

test('a company is called like its board, or like the host of its page', () => {
  expect(nameOf({ scraper_type: 'greenhouse', board: 'acme' }, 'https://careers.example.com/')).toBe('acme');
  expect(nameOf({ scraper_type: 'workday', host: 'acme.wd5.myworkdayjobs.com', site: 'External' }, undefined)).toBe(
    'acme',
  );
  expect(
    nameOf({ scraper_type: 'static', url: 'https://careers.bolt.example/' }, 'https://careers.bolt.example/'),
  ).toBe('bolt');
});

test('one that tells no name has to be given one', () => {
  expect(() => nameOf({ scraper_type: 'comeet', uid: '1', token: '2' }, undefined)).toThrow('--name');
});

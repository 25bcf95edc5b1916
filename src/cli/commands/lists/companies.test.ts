import { expect, test } from 'vitest';
import { nameOf, pageOf } from './companies.ts';
import { collect } from './set-option.ts';

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

test('a setting is a text, unless it can only be something else', () => {
  const all = ['board=1234', 'pay=true', 'fields={"title":"h2"}', 'max_pages:=3', 'items=a=b', 'board_name:="true"'];
  expect(all.reduce((before, text) => collect(text, before), {})).toEqual({
    board: '1234',
    pay: true,
    fields: { title: 'h2' },
    max_pages: 3,
    items: 'a=b',
    board_name: 'true',
  });
  expect(() => collect('fields={title', {})).toThrow('--set fields is not valid JSON');
  expect(() => collect('board', {})).toThrow('name=value');
});

test('what reads a page reads the one that was named', () => {
  const address = 'https://acme.example/jobs';
  const sites = [
    { name: 'greenhouse', params: { properties: { board: {} } } },
    { name: 'static', params: { properties: { url: {}, item: {} } } },
  ];
  expect(pageOf(sites, 'static', address)).toEqual({ url: address });
  expect(pageOf(sites, 'greenhouse', address)).toEqual({});
  expect(pageOf(sites, 'no-such-type', address)).toEqual({});
});

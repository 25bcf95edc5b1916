import { expect, test } from 'vitest';
import { runLabel, runPath } from './run-labels.ts';
import type { SiteTask } from './scrape-run.ts';

const site = (state: SiteTask['state'], found: number): SiteTask => ({
  site: 'indeed',
  state,
  found,
  error: null,
  metadata: null,
  finishedAt: null,
});

test('a run of parts is what its parts are', () => {
  expect(runLabel({ status: 'running', failed: 1 }, null)).toBe('running');
  expect(runLabel({ status: 'completed', failed: 0 }, null)).toBe('completed');
  expect(runLabel({ status: 'completed', failed: 1 }, null)).toBe('partial');
  expect(runLabel({ status: 'failed', failed: 2 }, null)).toBe('failed');
});

test('a search is what its pages are', () => {
  expect(runLabel({ status: 'running', failed: 0 }, [site('waiting', 0)])).toBe('running');
  expect(runLabel({ status: 'completed', failed: 0 }, [site('done', 3)])).toBe('completed');
  expect(runLabel({ status: 'failed', failed: 1 }, [site('failed', 3)])).toBe('partial');
  expect(runLabel({ status: 'completed', failed: 1 }, [site('failed', 0), site('done', 0)])).toBe('failed');
  expect(runLabel({ status: 'cancelled', failed: 0 }, [site('cancelled', 3)])).toBe('cancelled');
});

test('what a run brought is where its kind is at home', () => {
  expect(runPath({ kind: 'cart', id: 'x' })).toBe('/results/x');
  expect(runPath({ kind: 'unheard of', id: 'x' })).toBeNull();
});

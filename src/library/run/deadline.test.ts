import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startDeadline } from './deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('it strikes after its time', () => {
  const late = vi.fn();
  startDeadline(1_000, late);
  vi.advanceTimersByTime(999);
  expect(late).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(late).toHaveBeenCalledOnce();
});

test('time while it is paused does not count, and no timer is left then', () => {
  const late = vi.fn();
  const deadline = startDeadline(1_000, late);
  vi.advanceTimersByTime(600);
  deadline.pause();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(60_000);
  deadline.resume();
  vi.advanceTimersByTime(399);
  expect(late).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(late).toHaveBeenCalledOnce();
});

test('cleared, it does not begin again', () => {
  const late = vi.fn();
  const deadline = startDeadline(10, late);
  deadline.pause();
  deadline.clear();
  deadline.resume();
  vi.advanceTimersByTime(1_000);
  expect(late).not.toHaveBeenCalled();
});

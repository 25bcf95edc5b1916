import { expect, test } from 'vitest';
import { createTickets, TICKET_SECONDS } from './tickets.ts';

const secret = Buffer.alloc(32, 7);

test('a ticket is good once', () => {
  const tickets = createTickets(secret);
  const ticket = tickets.issue();
  expect(tickets.redeem(ticket)).toBe(true);
  expect(tickets.redeem(ticket)).toBe(false);
});

test('a ticket is good in every process with the same keys and in no other', () => {
  const ticket = createTickets(secret).issue();
  expect(createTickets(secret).redeem(ticket)).toBe(true);
  expect(createTickets(Buffer.alloc(32, 8)).redeem(ticket)).toBe(false);
});

test('a ticket that is too old, changed or no ticket at all is refused', () => {
  let now = 1_000_000;
  const tickets = createTickets(secret, () => now);
  const ticket = tickets.issue();
  const [expiry, nonce, signature] = ticket.split('.');
  expect(tickets.redeem(`${(now + 10 ** 9).toString(36)}.${nonce}.${signature}`)).toBe(false);
  expect(tickets.redeem(`${expiry}.other.${signature}`)).toBe(false);
  expect(tickets.redeem('')).toBe(false);
  expect(tickets.redeem('..')).toBe(false);
  now += TICKET_SECONDS * 1_000;
  expect(tickets.redeem(ticket)).toBe(false);
});

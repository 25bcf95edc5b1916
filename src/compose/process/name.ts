// What a process is called in logs, heartbeats and streams: readable, and different for each start.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

export const processName = (role: string): string =>
  `${role}-${hostname()
    .replace(/[^\w.-]/g, '')
    .slice(0, 40)}-${process.pid}-${randomBytes(2).toString('hex')}`;

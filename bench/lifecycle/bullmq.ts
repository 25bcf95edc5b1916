import { measure } from './bullmq-peer.ts';

await measure(async () => {});

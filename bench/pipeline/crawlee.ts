import { crawl } from './crawlee-peer.ts';

await crawl({});

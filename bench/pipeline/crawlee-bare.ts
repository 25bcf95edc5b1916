import { crawl } from './crawlee-peer.ts';

await crawl({ useSessionPool: false, persistCookiesPerSession: false });

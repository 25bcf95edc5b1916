// Every layout by its name in sites.json. A new one is one file and one line here.
import { blog } from './blog.ts';
import { classic } from './classic.ts';
import { crowded } from './crowded.ts';
import { gazette } from './gazette.ts';
import { microdata } from './microdata.ts';
import { paywall } from './paywall.ts';
import { portal } from './portal.ts';
import { soup } from './soup.ts';
import { tagsoup } from './tagsoup.ts';

export const LAYOUTS = { blog, classic, crowded, gazette, microdata, paywall, portal, soup, tagsoup };

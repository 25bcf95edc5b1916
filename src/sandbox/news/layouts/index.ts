// Every layout by its name in sites.json.
import type { Layout } from '../markup.ts';
import type { LayoutName } from '../site.ts';
import { classic } from './classic.ts';
import { microdata } from './microdata.ts';
import { soup } from './soup.ts';

export const LAYOUT: Readonly<Record<LayoutName, Layout>> = {
  classic,
  microdata,
  soup,
  blog: classic,
  crowded: classic,
  tagsoup: classic,
};

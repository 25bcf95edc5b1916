// What a listing lists: the links a reader would follow from it, in order.
// What a reader would get wrong: a listing has more links in its menus than in its list. Those of the list are alike, have a title of several
// words or stand in a heading, and are outside of everything that is a menu.
import { absolute } from '../fields/others.ts';
import { meaningBits } from '../page/lexicon.ts';
import { IN } from '../page/measure.ts';
import type { TreeNode } from '../page/tree.ts';
import type { BlockFeatures, View } from '../page/view.ts';

export interface ListedLink {
  url: string;
  title: string;
}

const MAX_LINKS = 500;
const LEAST_GROUP = 3;
const ELSEWHERE = meaningBits('nav', 'aside', 'share', 'promo', 'ad', 'meta', 'comment');
const MENUS = IN.nav | IN.footer | IN.header | IN.aside | IN.dialog | IN.form;

export function listedLinks(view: View, url: string | null): ListedLink[] {
  const groups = new Map<number, ListedLink[]>();
  const order: { group: number; link: ListedLink }[] = [];
  for (const features of view.blockFeatures) {
    const link = linkOf(features, view, url);
    if (!link) continue;
    const group = features.styleSignature;
    const list = groups.get(group);
    if (list) list.push(link);
    else groups.set(group, [link]);
    order.push({ group, link });
  }
  const seen = new Set<string>();
  return order
    .flatMap(({ group, link }) => {
      if (groups.get(group)!.length < LEAST_GROUP || seen.has(link.url)) return [];
      seen.add(link.url);
      return [link];
    })
    .slice(0, MAX_LINKS);
}

/** A line that is a link in a heading, or a link of several words, outside of menus; to another page. */
function linkOf(features: BlockFeatures, view: View, url: string | null): ListedLink | null {
  const { node, text } = features.block;
  const place = view.m.place[node.index]!;
  if (features.linkShare < 0.8 || (place & MENUS) !== 0) return null;
  if ((view.m.strong[node.index]! & ELSEWHERE) !== 0) return null;
  if ((place & IN.heading) === 0 && text.split(' ').length < 3) return null;
  const anchor = anchorOf(features, view.page.nodes);
  const address = anchor ? absolute(anchor.attrs.href, url) : null;
  if (address === null || address.split('#')[0] === url?.split('#')[0]) return null;
  return { url: address, title: text };
}

/** The link inside the line, or the one it is inside of. */
function anchorOf({ block }: BlockFeatures, nodes: TreeNode[]): TreeNode | null {
  for (let i = block.node.index; i < block.to; i++) if (nodes[i]!.tag === 'a' && nodes[i]!.attrs.href) return nodes[i]!;
  for (let up: TreeNode | null = block.node, level = 0; up && level < 6; up = up.parent, level++)
    if (up.tag === 'a' && up.attrs.href) return up;
  return null;
}

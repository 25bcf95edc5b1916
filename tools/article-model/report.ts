// What a cross-validation says: by set and kind of page, all of them and the development part alone, and the pages that lose most.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decideFrom } from '../../src/extract/article/model/decide.ts';
import { createSiteMemory } from '../../src/extract/article/site-memory.ts';
import { aggregate, pageF1, type Score, scorePage, wordF1 } from './pages.ts';
import type { Sample } from './samples.ts';

interface Scored extends Score {
  words: number;
}

export function report(samples: Sample[], worst: number, dumpTo?: string): void {
  const scores = new Map<Sample, Scored>();
  for (const sample of samples) {
    const { kept, p } = decideFrom(sample.view, sample.second);
    const text = sample.view.blockFeatures
      .filter((_, i) => kept[i])
      .map((features) => features.block.text)
      .join('\n');
    const score = { ...scorePage(sample.truth, text), words: wordF1(sample.truth, text) };
    scores.set(sample, score);
    if (dumpTo) dump(dumpTo, sample, score, p, kept);
  }
  const line = (name: string, some: Sample[]) => {
    if (some.length === 0) return;
    const { f1, precision, recall } = aggregate(some.map((s) => scores.get(s)!));
    const words = some.reduce((sum, s) => sum + scores.get(s)!.words, 0) / some.length;
    const lost = some.filter((s) => pageF1(scores.get(s)!) < 0.5).length;
    console.log(
      `${name.padEnd(28)} pages ${String(some.length).padStart(4)}  F1 ${f1.toFixed(4)}  precision ${precision.toFixed(4)}  recall ${recall.toFixed(4)}  word F1 ${words.toFixed(4)}  under 0.5: ${lost}`,
    );
  };
  for (const group of new Set(samples.map((s) => `${s.set} ${s.kind}`))) {
    const some = samples.filter((s) => `${s.set} ${s.kind}` === group);
    line(group, some);
    line(
      `${group} dev`,
      some.filter((s) => s.part === 'dev'),
    );
  }
  reportMemory(samples, scores);
  for (const [s, score] of [...scores].sort((a, b) => pageF1(a[1]) - pageF1(b[1])).slice(0, worst)) {
    console.log(
      `${pageF1(score).toFixed(3)} p=${(score.precision ?? 0).toFixed(3)} r=${score.recall.toFixed(3)} ${s.set} ${s.kind} ${s.id.slice(0, 8)} ${s.url.slice(0, 100)}`,
    );
  }
}

/** Pages of hosts with two pages or more, alone and with a memory that has read the others first. */
function reportMemory(samples: Sample[], alone: Map<Sample, Scored>): void {
  const articles = samples.filter((s) => s.kind === 'article');
  const shared = articles.filter((s) => articles.some((other) => other !== s && other.host === s.host));
  const memory = createSiteMemory();
  for (const s of shared) memory.recognise(s.host, s.url, s.view.blockFeatures);
  const withMemory = shared.map((s) => {
    const { kept } = decideFrom(s.view, s.second);
    const known = memory.recognise(s.host, s.url, s.view.blockFeatures);
    return scorePage(
      s.truth,
      s.view.blockFeatures
        .filter((_, i) => kept[i] && !known[i])
        .map((features) => features.block.text)
        .join('\n'),
    );
  });
  const show = (name: string, scores: Score[]) => {
    const { f1, precision, recall } = aggregate(scores);
    console.log(
      `${name.padEnd(28)} pages ${String(scores.length).padStart(4)}  F1 ${f1.toFixed(4)}  precision ${precision.toFixed(4)}  recall ${recall.toFixed(4)}`,
    );
  };
  show(
    'shared hosts, alone',
    shared.map((s) => alone.get(s)!),
  );
  show('shared hosts, memory', withMemory);
}

/** Every block of a page with what is true, what was decided and why. */
function dump(dir: string, sample: Sample, score: Score, p: number[], kept: boolean[]): void {
  mkdirSync(dir, { recursive: true });
  const lines = sample.view.blockFeatures.map(({ block, linkShare, isMenu }, i) => {
    const path: string[] = [];
    for (let n = block.node; n.parent && path.length < 5; n = n.parent)
      path.push(n.attrs.class ? `${n.tag}.${n.attrs.class.slice(0, 50)}` : n.tag);
    const wrong = sample.labels[i] === Number(kept[i]) ? '  ' : '!!';
    return `${wrong} true ${sample.labels[i]} kept ${Number(kept[i])} ${isMenu ? 'menu' : `first ${sample.first[i]!.toFixed(2)} second ${p[i]!.toFixed(2)}`} links ${linkShare.toFixed(2)} | ${block.text.slice(0, 160).replaceAll('\n', ' ')} || ${path.join(' < ')}`;
  });
  writeFileSync(
    join(dir, `${sample.set}-${sample.id.slice(0, 8)}.txt`),
    [sample.url, `${sample.kind} ${pageF1(score)} ${JSON.stringify(score)}`, ...lines].join('\n'),
  );
}

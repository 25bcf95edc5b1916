// Learns what words in class names, and words of short lines, speak for body text: logistic regression over all of them at once, beside a few plain
// signs, so that a word gets no weight for what length and links say already.
// What a reader would get wrong: words that few sites use are left out, however sure they look, since the sites to come are others.
import {
  LINE_CHARS,
  lineWords,
  nameWords,
  speaks,
  type TokenWeights,
  tokensOf,
} from '../../src/extract/article/page/tokens.ts';
import { random } from './gbdt.ts';
import type { Sample } from './samples.ts';

const LEAST_HOSTS = { names: 6, words: 12 };
const ROUNDS = 4;
const RATE = 0.15;
const L2 = 1e-3;
const LEAST_WEIGHT = 0.2;

interface Example {
  tokens: Int32Array;
  plain: number[];
  label: number;
  weight: number;
}

export function learnTokens(samples: Sample[]): TokenWeights {
  const said = samples.map(tokensOfBlocks);
  const ids = idsOf(samples, said);
  const examples = samples.flatMap((sample, s) =>
    sample.view.blockFeatures.flatMap((features, i): Example[] => {
      if (features.isMenu) return [];
      const tokens = Int32Array.from(new Set(said[s]![i]!.flatMap((token) => ids.get(token) ?? [])));
      const plain = [
        1,
        Math.log2(features.chars) / 8,
        features.linkShare,
        features.endsSentence ? 1 : 0,
        features.isProse ? 1 : 0,
        features.alike,
      ];
      return [{ tokens, plain, label: sample.labels[i]!, weight: sample.weights[i]! }];
    }),
  );
  const weights = regress(examples, ids.size);
  const out: TokenWeights = { classes: {}, texts: {} };
  for (const [token, id] of [...ids].sort((a, b) => (a[0] < b[0] ? -1 : 1))) {
    const weight = Number(weights[id]!.toFixed(2));
    if (Math.abs(weight) < LEAST_WEIGHT) continue;
    out[token.startsWith('c:') ? 'classes' : 'texts'][token.slice(2)] = weight;
  }
  return out;
}

/** By block, the tokens of the names around it and of its own text. */
function tokensOfBlocks({ view }: Sample): string[][] {
  const byNode: string[][] = [[]];
  for (let i = 1; i < view.page.nodes.length; i++) {
    const node = view.page.nodes[i]!;
    const above = byNode[node.parent!.index]!;
    byNode.push(
      speaks(node, view) ? [...above, ...tokensOf(nameWords(node.attrs.class!)).map((token) => `c:${token}`)] : above,
    );
  }
  return view.blockFeatures.map(({ block }) => [
    ...byNode[block.node.index]!,
    ...(block.text.length <= LINE_CHARS ? tokensOf(lineWords(block.text)).map((token) => `t:${token}`) : []),
  ]);
}

function idsOf(samples: Sample[], said: string[][][]): Map<string, number> {
  const hosts = new Map<string, Set<string>>();
  samples.forEach(({ host, view }, s) => {
    const here = new Set(said[s]!.flatMap((tokens, i) => (view.blockFeatures[i]!.isMenu ? [] : tokens)));
    for (const token of here) {
      const known = hosts.get(token);
      if (known) known.add(host);
      else hosts.set(token, new Set([host]));
    }
  });
  const ids = new Map<string, number>();
  for (const [token, of] of hosts)
    if (of.size >= (token.startsWith('c:') ? LEAST_HOSTS.names : LEAST_HOSTS.words)) ids.set(token, ids.size);
  return ids;
}

/** Stochastic gradient descent with a rate for each weight (AdaGrad). */
function regress(examples: Example[], size: number): Float64Array {
  const next = random(7);
  const weights = new Float64Array(size);
  const seen = new Float64Array(size).fill(1e-2);
  const plain = new Float64Array(6);
  const seenPlain = new Float64Array(6).fill(1e-2);
  const mean = examples.reduce((sum, { weight }) => sum + weight, 0) / examples.length;
  const order = Int32Array.from(examples, (_, i) => i);
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = order.length - 1; i > 0; i--) {
      const other = Math.floor(next() * (i + 1));
      [order[i], order[other]] = [order[other]!, order[i]!];
    }
    for (const at of order) {
      const one = examples[at]!;
      let sum = 0;
      for (let k = 0; k < plain.length; k++) sum += plain[k]! * one.plain[k]!;
      for (const id of one.tokens) sum += weights[id]!;
      const error = (one.label - 1 / (1 + Math.exp(-sum))) * Math.min(4, one.weight / mean);
      for (let k = 0; k < plain.length; k++) {
        const step = error * one.plain[k]!;
        seenPlain[k]! += step * step;
        plain[k]! += (RATE * step) / Math.sqrt(seenPlain[k]!);
      }
      for (const id of one.tokens) {
        const step = error - L2 * weights[id]!;
        seen[id]! += step * step;
        weights[id]! += (RATE * step) / Math.sqrt(seen[id]!);
      }
    }
  }
  return weights;
}

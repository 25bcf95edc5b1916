// A source by name for a worker: its own are loaded already, the built-in ones when their first task comes.
import type { Source } from '../sources/define.ts';
import { findSource } from '../sources/find.ts';
import type { SourceModules } from './load.ts';

export function sourceFinder({ sources }: SourceModules): (name: string) => Source | Promise<Source | undefined> {
  const own = new Map(sources.map(({ source }) => [source.name, source]));
  return (name) => own.get(name) ?? findSource(name);
}

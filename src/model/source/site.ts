// A source as it is offered to people: what it is called, what it takes, and a check of what they gave. Sources themselves are known to workers only.
import type { FieldError } from '../errors.ts';
import type { Kind } from '../item/item.ts';

export interface Site {
  name: string;
  title: string;
  kind: Kind;
  /** JSON Schema of its parameters. */
  params: Record<string, unknown>;
  /** ISO codes of the countries it has a market for; left out where it is one site for all. */
  countries?: readonly string[];
}

/** Description of a source in the API, searchable or not. */
export interface SourceAbout {
  name: string;
  title: string;
  kind: Kind;
  lane: string;
  /** Hosts it talks to; empty for sources that fetch any address. */
  hosts: readonly string[];
  /** The module that brought it; null for a built-in one. */
  module: string | null;
  /** JSON Schema of its parameters. */
  params: Record<string, unknown>;
  /** What is wrong with parameters. */
  check(params: Record<string, unknown>): FieldError[];
}

/** A module that was to bring sources and could not, or could not bring all of them. */
export interface ModuleProblem {
  /** As it was named. */
  module: string;
  /** A sentence without its subject: "there is no such file". */
  reason: string;
}

/** Names of sites in other programs. */
const ALIASES: Record<string, string> = { google: 'google-jobs', zip_recruiter: 'ziprecruiter' };

/** The name of a site that may be called by an alias. `isKnown`: a source of one's own may have that name. */
export const siteNameOf = (name: string, isKnown: (name: string) => boolean): string =>
  isKnown(name) ? name : (ALIASES[name] ?? name);

export interface SiteCatalogue {
  all(): Site[];
  /** The parameters as the source wants them (defaults filled in), or what is wrong with them. Null for a name that is not in the catalogue. */
  check(
    name: string,
    params: Record<string, unknown>,
  ): { params: Record<string, unknown> } | { errors: FieldError[] } | null;
}

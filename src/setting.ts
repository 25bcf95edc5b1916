// What a setting is, and the kinds of values it can have: each reads a text, and says in words what is allowed. The table of settings is config.ts.
import { isIP } from 'node:net';
import { z } from 'zod';

interface Kind<T> {
  /** From the text of a variable, a flag or a file. */
  schema: z.ZodType<T, string>;
  /** Completes the sentence "it has to be …". */
  allowed: string;
}

export interface Setting<T = unknown> extends Kind<T> {
  env: string;
  /** An older or common spelling that is taken too. */
  alsoEnv?: string;
  /** Null: not set unless someone sets it. */
  default: string | null;
  about: string;
  /** Never shown; not a flag, since other users of the machine see those; `fileEnv` names a file to read it from. */
  isSecret: boolean;
  fileEnv?: string;
}

type Extra = Partial<Pick<Setting, 'alsoEnv' | 'isSecret' | 'fileEnv'>>;

/** A setting that always has a value. */
export function setting<T>(env: string, kind: Kind<T>, fallback: string, about: string, extra: Extra = {}): Setting<T> {
  return { env, ...kind, default: fallback, about, isSecret: false, ...extra };
}

/** A setting that may be absent. */
export function optional<T>(env: string, kind: Kind<T>, about: string, extra: Extra = {}): Setting<T | undefined> {
  return { env, ...kind, default: null, about, isSecret: false, ...extra };
}

export const secret = (env: string): Extra => ({ isSecret: true, fileEnv: `${env}_FILE` });

export const whole = (min: number, max: number): Kind<number> => ({
  schema: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max)),
  allowed: `a whole number from ${min} to ${max}`,
});

/** A part of the whole. */
export const share: Kind<number> = {
  schema: z
    .string()
    .regex(/^(?:0|1|0?\.\d{1,9}|1\.0{1,9})$/)
    .transform(Number),
  allowed: 'a number from 0 to 1',
};

/** `0` and `off` both mean off and come out as 0, never as "no limit by accident". */
export const wholeOrOff = (min: number, max: number): Kind<number> => ({
  schema: z
    .string()
    .transform((text) => (text === 'off' ? '0' : text))
    .pipe(z.literal('0').transform(Number).or(whole(min, max).schema)),
  allowed: `a whole number from ${min} to ${max}, or off`,
});

export const text = (pattern: RegExp, allowed: string): Kind<string> => ({
  schema: z.string().regex(pattern),
  allowed,
});

export const oneOf = <const V extends string>(...values: V[]): Kind<V> => ({
  schema: z.string().pipe(z.enum(values)),
  allowed: `one of ${values.join(', ')}`,
});

/** Commas or white space between entries, so that a file with one entry a line reads the same. */
export const listOf = (isEntry: (entry: string) => boolean, allowed: string): Kind<readonly string[]> => ({
  schema: z
    .string()
    .transform((value) => value.split(/[\s,]+/).filter((entry) => entry !== ''))
    .pipe(z.array(z.string().refine(isEntry)).min(1)),
  allowed,
});

export const onOff: Kind<boolean> = {
  schema: z
    .enum(['on', 'off', 'true', 'false', '1', '0', 'yes', 'no'])
    .transform((value) => ['on', 'true', '1', 'yes'].includes(value)) as z.ZodType<boolean, string>,
  allowed: 'on or off',
};

export const address = (protocols: string[], allowed: string): Kind<string> => ({
  schema: z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol)),
  allowed,
});

export const checked = (isValid: (value: string) => boolean, allowed: string): Kind<string> => ({
  schema: z.string().refine(isValid),
  allowed,
});

const isUrlOf = (value: string, pattern: RegExp): boolean => URL.canParse(value) && pattern.test(value);

const isOrigin = (value: string): boolean => isUrlOf(value, /^https?:\/\/[^/?#@]+\/?$/i);

export const isMapping = (entry: string): boolean => {
  const at = entry.indexOf('=');
  return at > 0 && /^(\*|(\*\.)?[a-z0-9.:[\]_-]+)$/i.test(entry.slice(0, at)) && isOrigin(entry.slice(at + 1));
};

export const isAddressOrCidr = (entry: string): boolean => {
  const [network = '', bits, rest] = entry.split('/');
  const family = isIP(network);
  if (family === 0 || rest !== undefined) return false;
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
};

export const isPort = (entry: string): boolean =>
  /^\d{1,5}$/.test(entry) && Number(entry) >= 1 && Number(entry) <= 65_535;
export const isLane = (entry: string): boolean => /^[a-z0-9][a-z0-9._-]{0,63}$/.test(entry);
export const isSourceLane = (entry: string): boolean => {
  const [source = '', lane = '', rest] = entry.split('=');
  return isLane(source) && isLane(lane) && rest === undefined;
};
/** `linkedin=4/250`: requests at a time, least milliseconds between two. */
export const isSourcePace = (entry: string): boolean => {
  const [, source = '', most] = /^([^=]*)=(\d{1,4})\/\d{1,7}$/.exec(entry) ?? [];
  return isLane(source) && Number(most) >= 1;
};
export const isKey = (entry: string): boolean => /^[\x21-\x7e]{8,256}$/.test(entry);
const isProxy = (entry: string): boolean =>
  entry === 'direct' ||
  isUrlOf(entry.includes('://') ? entry : `http://${entry}`, /^(https?|socks5?h?):\/\/[^/]+\/?$/i);

/** Kept as written: commas separate proxies, semicolons or lines of dashes tiers of them, # begins a comment. */
export const proxies: Kind<string> = {
  schema: z.string().refine((value) => {
    const entries = value
      .replace(/#.*$/gm, '')
      .replace(/^-+$/gm, '')
      .split(/[\s,;]+/)
      .filter((entry) => entry !== '');
    return (
      entries.length > 0 && entries.every((entry) => isProxy(entry) || /^[^:/@\s]+:\d+:[^:@\s]+:[^@\s]+$/.test(entry))
    );
  }),
  allowed: 'URLs like http://user:password@host:8080 or socks5://host:1080, separated by commas',
};

export const host = text(/^(\[?[0-9a-f:.]+\]?|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)$/i, 'an address or a host name');
export const path = text(/\S/, 'a path');

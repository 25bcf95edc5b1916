// Readers for option values that are not settings.
import { InvalidArgumentError } from 'commander';
import { OWNER } from '../../model/key/key.ts';

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new InvalidArgumentError(`Use a whole number from ${min} to ${max}.`);
    return value;
  };
}

/** Of an option that names an owner of API keys. */
export const ownerName = (owner: string): string => {
  if (!OWNER.test(owner)) throw new InvalidArgumentError('Use 1 to 64 lower-case letters, digits and . _ -');
  return owner;
};

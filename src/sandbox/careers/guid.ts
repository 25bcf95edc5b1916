// Names of boards as the GUIDs that some vendors use for them, and back again: the sandbox has to know whose board it is asked for.
const ALPHABET = '_abcdefghijklmnopqrstuvwxyz0123456789-.';
const BASE = BigInt(ALPHABET.length);
const HEX = 32;

export function guidOf(token: string): string {
  let number = 0n;
  for (const char of token.toLowerCase()) number = number * BASE + BigInt(Math.max(0, ALPHABET.indexOf(char)));
  const hex = number.toString(16).padStart(HEX, '0').slice(-HEX);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export function tokenOf(guid: string): string {
  let token = '';
  for (let number = BigInt(`0x0${guid.replace(/[^\da-f]/gi, '')}`); number > 0n; number /= BASE)
    token = ALPHABET[Number(number % BASE)] + token;
  return token;
}

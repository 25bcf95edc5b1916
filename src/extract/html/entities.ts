// Entities in what should have none left: systems that escape what is escaped already leave them in titles, and JSON in an attribute has them.
const ENTITY = /&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|(amp|quot|lt|gt|apos|nbsp));/gi;
const NAMED: Record<string, string> = { amp: '&', quot: '"', lt: '<', gt: '>', apos: "'", nbsp: ' ' };

/** Numbers and the commonest names are read; all others stay. */
export const withoutEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(ENTITY, (whole, decimal?: string, hex?: string, name?: string) => {
        if (name) return NAMED[name.toLowerCase()]!;
        const code = decimal ? Number(decimal) : Number.parseInt(hex!, 16);
        return code > 31 && code < 0x110000 ? String.fromCodePoint(code) : whole;
      })
    : text;

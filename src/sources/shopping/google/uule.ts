// UULE: the location parameter of Google. It is a small protobuf message in base64; the popular shortcut with a table of lengths is only right below 64
// bytes, so the bytes are built here.

const VERSION_1 = 'w+';
const VERSION_2 = 'a+';
/** Field 1 (role) = 2, field 2 (producer) = 32, then the tag of field 4, a string. */
const HEAD = [0x08, 0x02, 0x10, 0x20, 0x22];

/** For a canonical name of the geo targets, `10001,New York,United States`. Percent-encode it in an address (`+`, `/`, `=`). */
export function uuleOf(canonicalName: string): string {
  const name = Buffer.from(canonicalName, 'utf8');
  return VERSION_1 + Buffer.concat([Buffer.from([...HEAD, ...varint(name.length)]), name]).toString('base64');
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return [...bytes, rest];
}

export interface BlockFeatures {
  latitude: number;
  longitude: number;
  timestampMs: number;
}

/** For coordinates. */
export function uuleAt({ latitude, longitude, timestampMs }: BlockFeatures): string {
  const e7 = (degrees: number) => Math.round(degrees * 1e7);
  const lines = [
    'role:1',
    'producer:12',
    'provenance:6',
    `timestamp:${Math.round(timestampMs) * 1_000}`,
    'latlng{',
    `latitude_e7:${e7(latitude)}`,
    `longitude_e7:${e7(longitude)}`,
    '}',
    'radius:-1',
    '',
  ];
  return VERSION_2 + Buffer.from(lines.join('\n'), 'utf8').toString('base64url');
}

// Records as CSV (RFC 4180): a field is quoted when it has to be.

export function csvLine(fields: readonly unknown[]): string {
  return fields.map(csvField).join(',');
}

function csvField(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

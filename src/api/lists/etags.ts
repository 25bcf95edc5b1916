// The ETags that a caller has: `If-None-Match`, weak or strong.
export const tagsOf = (header: string | undefined): string[] =>
  (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));

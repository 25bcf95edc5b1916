// What a caller has already: the tags of `If-None-Match`, weak or not.
export const tagsOf = (header: string | undefined): string[] =>
  (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));

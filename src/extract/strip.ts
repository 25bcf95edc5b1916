// Taking characters off the ends of a text: `/[,;]+$/` takes quadratic time on a long run of them that is not at the end.

/** The text without any of these characters at its end. */
export function stripEnd(text: string, chars: string): string {
  let end = text.length;
  while (end > 0 && chars.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** The same at both ends. */
export function strip(text: string, chars: string): string {
  let start = 0;
  while (start < text.length && chars.includes(text[start]!)) start++;
  return stripEnd(text.slice(start), chars);
}

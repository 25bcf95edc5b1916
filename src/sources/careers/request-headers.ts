// Headers that a company's settings add to a request. Those that say where a request goes, how long it is or whom it is from are ours: with them one request
// could become two, or reach another site than the one that the guard judged.
import { z } from 'zod';

const HEADERS_MAX = 50;
const NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
const OURS =
  /^(?:host|content-length|connection|transfer-encoding|te|trailer|upgrade|keep-alive|expect|forwarded|via|x-real-ip|proxy-.*|x-forwarded-.*|sec-.*)$/i;

export const RequestHeaders = z.record(z.string(), z.string().max(4_000)).superRefine((headers, context) => {
  const names = Object.keys(headers);
  const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
  if (names.length > HEADERS_MAX) refuse([], `may have at most ${HEADERS_MAX} entries`);
  for (const name of names) {
    if (!NAME.test(name)) refuse([], 'has a name that no header can have');
    else if (OURS.test(name)) refuse([name], 'is set by Windrow');
    else if (/[\r\n\0]/.test(headers[name]!)) refuse([name], 'must not contain line ends');
  }
});

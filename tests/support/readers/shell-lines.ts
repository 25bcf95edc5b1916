// Command lines of a block of shell code as words: quotes, comments and continued lines, and what `|`, `&&` and `>` separate. No variables, no globs: the
// documentation has none that a test would have to know.

export interface ShellCommand {
  /** As it is written, on one line. */
  line: string;
  /** `NAME=value` before the program. */
  env: Record<string, string>;
  words: string[];
}

const TOKEN = /\\\n|#[^\n]*|'([^']*)'|"((?:[^"\\]|\\.)*)"|&&|[|;&<>\n]|[ \t]+|\\.|[^\s'"|;&<>\\]+/gy;
const ENDS = new Set(['&&', '|', ';', '&', '\n']);

export function shellCommands(code: string): ShellCommand[] {
  const commands: ShellCommand[] = [];
  let [words, line] = [[] as string[], ''];
  let word: string | null = null;
  let isFile = false;
  const endWord = (): void => {
    if (word !== null && !isFile) words.push(word);
    if (word !== null) isFile = false;
    word = null;
  };
  const endCommand = (): void => {
    endWord();
    const first = words.findIndex((one) => !/^[A-Z_]+=/.test(one));
    const env = Object.fromEntries(words.slice(0, Math.max(first, 0)).map((one) => one.split(/=(.*)/s).slice(0, 2)));
    if (first !== -1) commands.push({ line: line.trim(), env, words: words.slice(first) });
    [words, line] = [[], ''];
  };
  for (const [token, single, double] of code.matchAll(TOKEN)) {
    const isComment = token.startsWith('#') && word === null;
    if (!isComment) line += token === '\\\n' ? ' ' : token;
    if (ENDS.has(token)) endCommand();
    else if (token === '\\\n' || isComment || /^[ \t]+$/.test(token)) endWord();
    else if (token === '>' || token === '<') {
      endWord();
      isFile = true;
    } else word = (word ?? '') + (single ?? double?.replaceAll(/\\(.)/g, '$1') ?? token.replace(/^\\/, ''));
  }
  endCommand();
  return commands;
}

// `windrow completion bash|zsh|fish`: a script for the shell, made from the commands as they are. It needs no Windrow while one types.
import { Argument, type Command } from 'commander';
import { command } from '../../command.ts';
import { COMMANDS } from '../../commands.ts';
import { createTerminal } from '../../terminal/terminal.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

const ABOUT: Record<Shell, string> = {
  bash: '# Load it in this shell: source <(windrow completion bash). For every shell: the same line in ~/.bashrc',
  zsh: '# Load it in this shell: source <(windrow completion zsh). For every shell: the same line in ~/.zshrc, after compinit',
  fish: '# Load it in this shell: windrow completion fish | source. For every shell: > ~/.config/fish/completions/windrow.fish',
};

export const make = () =>
  command({
    name: 'completion',
    about: 'Prints a script that completes commands, options and their values in a shell.',
    examples: [
      ['source <(windrow completion bash)', 'in ~/.bashrc, or once'],
      ['windrow completion fish > ~/.config/fish/completions/windrow.fish', 'for fish'],
    ],
  })
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action(async (shell: Shell, options: { json?: boolean }) => {
      const script = `${ABOUT[shell]}\n${SCRIPTS[shell](await wordsOfAll())}`;
      if (options.json) createTerminal({ json: true }).document({ shell, script });
      else process.stdout.write(script);
    });

/** What may follow: `windrow runs` → list, show, … and options; `windrow runs list --kind` → its values. */
type Words = ReadonlyMap<string, readonly string[]>;

async function wordsOfAll(): Promise<Words> {
  const words = new Map<string, string[]>([['windrow', [...Object.keys(COMMANDS), 'help']]]);
  for (const [name, row] of Object.entries(COMMANDS))
    collect(await row.load().then((one) => one.make()), `windrow ${name}`, words);
  return words;
}

function collect(one: Command, path: string, words: Map<string, string[]>): void {
  // A noun without a verb is its usual verb.
  const usual = (one as unknown as { _defaultCommandName?: string })._defaultCommandName;
  const options = [one, ...one.commands.filter((inner) => inner.name() === usual)].flatMap((from) =>
    from.options.filter((option) => !option.hidden && option.long),
  );
  const values = one.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
  const flags = options.map((option) => option.long!);
  words.set(path, [...new Set([...one.commands.map((inner) => inner.name()), ...values, ...flags, '--help'])]);
  for (const { long, argChoices } of options) if (argChoices) words.set(`${path} ${long}`, [...argChoices]);
  for (const inner of one.commands) collect(inner, `${path} ${inner.name()}`, words);
}

/** Names of sources and options are of letters, digits, `.`, `_` and `-`: nothing that a shell reads. */
const plain = (words: readonly string[]): string => words.filter((word) => /^[\w.-]+$/.test(word)).join(' ');

const cases = (words: Words, line: (path: string, words: string) => string): string =>
  [...words].map(([path, all]) => line(path, plain(all))).join('\n');

const paths = (words: Words): string =>
  [...words.keys()]
    .filter((path) => !path.includes(' --'))
    .map((path) => `"${path}"`)
    .join('|');

const SCRIPTS: Record<Shell, (words: Words) => string> = {
  bash: (words) => `_windrow_words() {
  case "$1" in
${cases(words, (path, all) => `    "${path}") echo "${all}" ;;`)}
  esac
}
_windrow() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at=windrow word values
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in ${paths(words)}) at="$at $word" ;; esac
  done
  values="$(_windrow_words "$at $prev")"
  COMPREPLY=($(compgen -W "\${values:-$(_windrow_words "$at")}" -- "$cur"))
  # Anything else may be a file.
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$cur"))
}
complete -F _windrow windrow
`,
  zsh: (words) => `#compdef windrow
_windrow_words() {
  case "$1" in
${cases(words, (path, all) => `    "${path}") echo "${all}" ;;`)}
  esac
}
_windrow() {
  local at=windrow word values
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in ${paths(words)}) at="$at $word" ;; esac
  done
  values="$(_windrow_words "$at \${words[CURRENT-1]}")"
  [ -n "$values" ] || values="$(_windrow_words "$at")"
  compadd -- \${=values} || _files
}
compdef _windrow windrow
`,
  fish: (words) => `function __windrow_words
  switch "$argv"
${cases(words, (path, all) => `    case "${path}"\n      string split ' ' -- "${all}"`)}
  end
end
function __windrow_complete
  set -l at windrow
  set -l before (commandline -opc)
  for word in $before[2..-1]
    string match -qv -- '-*' $word; and count (__windrow_words $at $word) >/dev/null; and set at $at $word
  end
  set -l values (__windrow_words $at $before[-1])
  if test (count $before) -gt 1; and count $values >/dev/null; and string match -q -- '-*' $before[-1]
    printf '%s\\n' $values
  else
    __windrow_words $at
  end
end
complete -c windrow -a '(__windrow_complete)'
`,
};

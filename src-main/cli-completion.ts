import type { Argument, Command, Option } from 'commander';

/** Shells for which a completion script can be printed. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The words that can follow a command: its own commands, its options, and the values of options that have a few. */
interface Words {
  /** The words of the command behind `tieout`, with a space between. */
  readonly path: string;
  readonly commands: readonly Command[];
  readonly options: readonly Option[];
  readonly arguments: readonly Argument[];
}

function allWords(command: Command, path: readonly string[] = []): Words[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).filter((each) => each.name() !== 'help');
  const own = { path: path.join(' '), commands, options: help.visibleOptions(command), arguments: command.registeredArguments };
  return [own, ...commands.flatMap((each) => allWords(each, [...path, each.name()]))];
}

/** Options and arguments that name a folder; all others without choices may name a file. */
const isFolder = (flags: string): boolean => flags.includes('<folder>');
const takesValue = (option: Option): boolean => option.required || option.optional;
const choicesOf = ({ argChoices = [] }: Option | Argument): string => argChoices.join(' ');
const longOf = (option: Option): string => option.long ?? option.short ?? '';

/**
 * Scripts are whole, so that a shell asks no process of Tieout at each press of Tab. Where a value may be a file the shell completes names itself,
 * which the libraries that we looked at switch off.
 */
function bashScript(all: readonly Words[]): string {
  const cases = all.map(({ path, commands, options, arguments: args }) => {
    const words = [...commands.map((each) => each.name()), ...options.map(longOf), ...args.map(choicesOf)].filter((word) => word !== '');
    return `    '${path}') words='${words.join(' ')}' ;;`;
  });
  const valued = all.flatMap(({ path, options }) =>
    options.filter(takesValue).map((option) => {
      const choices = choicesOf(option);
      const done = choices === '' ? `compgen -${isFolder(option.flags) ? 'd' : 'f'} --` : `compgen -W '${choices}' --`;
      return `    '${path} ${longOf(option)}') COMPREPLY=($(${done} "$cur")); return ;;`;
    }),
  );
  const paths = all.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
  return `# Completion of tieout for bash: eval "$(tieout completion bash)"
_tieout() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${path:+$path }\${COMP_WORDS[i]}" in
    ${paths.join('|')}) path="\${path:+$path }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$path $prev" in
${valued.join('\n')}
  esac
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  [[ \${#COMPREPLY[@]} -gt 0 || $cur == -* ]] || COMPREPLY=($(compgen -f -- "$cur"))
}
complete -o filenames -F _tieout tieout
`;
}

/** Returns a text between single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
/** Returns the description of an option in zsh, which reads brackets and colons. */
const zshText = (text: string): string => text.replaceAll(/[[\]:\\]/g, String.raw`\$&`);

function zshScript(all: readonly Words[]): string {
  const valueOf = (flags: string, choices: string): string =>
    choices === '' ? (isFolder(flags) ? ':folder:_files -/' : ':value:_files') : `:value:(${choices})`;
  const cases = all.map(({ path, commands, options, arguments: args }) => {
    const specs = options.map((option) =>
      quoted(`*${longOf(option)}[${zshText(option.description)}]${takesValue(option) ? valueOf(option.flags, choicesOf(option)) : ''}`),
    );
    const named = commands.map((each) => quoted(`${each.name()}:${zshText(each.description())}`));
    const rest =
      commands.length > 0
        ? [`'*::command:->sub'`]
        : args.map((each) => quoted(`*:${each.name()}:${choicesOf(each) === '' ? '_files' : `(${choicesOf(each)})`}`));
    const sub =
      commands.length === 0 ? '' : `\n      [[ $state == sub ]] && { local -a subs=(${named.join(' ')}); _describe command subs; }`;
    return `    ${quoted(path)})
      _arguments -C ${[...specs, ...rest].join(' ')}${sub} ;;`;
  });
  const paths = all.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  return `#compdef tieout
# Completion of tieout for zsh: eval "$(tieout completion zsh)"
_tieout() {
  local path_ state word
  local -i i at=1
  for ((i = 2; i < CURRENT; i++)); do
    word="\${path_:+$path_ }\${words[i]}"
    case "$word" in
    ${paths.join('|')}) path_="$word"; at=$i ;;
    esac
  done
  words=("\${(@)words[at,-1]}")
  (( CURRENT -= at - 1 ))
  case "$path_" in
${cases.join('\n')}
  esac
}
compdef _tieout tieout
`;
}

function fishScript(all: readonly Words[]): string {
  const lines = all.flatMap(({ path, commands, options, arguments: args }) => {
    const here = `-n '__tieout_at "${path}"'`;
    return [
      ...commands.map((each) => `complete -c tieout ${here} -f -a ${each.name()} -d ${quoted(each.description())}`),
      ...args.flatMap((each) => (choicesOf(each) === '' ? [] : [`complete -c tieout ${here} -f -a ${quoted(choicesOf(each))}`])),
      ...options.map((option) => {
        const choices = choicesOf(option);
        const value = !takesValue(option)
          ? ''
          : choices !== ''
            ? ` -x -a ${quoted(choices)}`
            : isFolder(option.flags)
              ? " -x -a '(__fish_complete_directories)'"
              : ' -r -F';
        return `complete -c tieout ${here} -l ${longOf(option).slice(2)} -d ${quoted(option.description)}${value}`;
      }),
    ];
  });
  const paths = all.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
  return `# Completion of tieout for fish: tieout completion fish | source
function __tieout_at
  set -l path ''
  for word in (commandline -opc)[2..]
    set -l longer (string trim -- "$path $word")
    if contains -- $longer ${paths.join(' ')}
      set path $longer
    end
  end
  test "$path" = "$argv[1]"
end
${lines.join('\n')}
`;
}

/** Returns a script by which a shell completes the commands, the options and their values. */
export function completionScript(program: Command, shell: Shell): string {
  const all = allWords(program);
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](all);
}

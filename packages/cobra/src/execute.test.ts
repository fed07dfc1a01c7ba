import { expect, test } from 'vitest';
import {
  bool,
  command,
  commandFor,
  execute,
  exactArgs,
  groupedStyle,
  lazy,
  noArgs,
  oneOf,
  recordedIo,
  runProgram,
  section,
  sectionedStyle,
  string,
  stringSlice,
} from './index.ts';

const collect = () => {
  const calls: string[] = [];
  const log = (name: string) => () => void calls.push(name);
  const hooks = (name: string) => ({
    persistentPreRun: log(`${name}.persistentPreRun`),
    persistentPostRun: log(`${name}.persistentPostRun`),
    preRun: log(`${name}.preRun`),
    run: log(`${name}.run`),
    postRun: log(`${name}.postRun`),
  });
  return { calls, hooks, log };
};

async function run(root: Parameters<typeof execute<undefined>>[0], ...args: string[]) {
  const io = recordedIo();
  const code = await runProgram(root, args, io, undefined);
  return { code, ...io.text };
}

test('the five hooks run in order, of the persistent ones only the nearest', async () => {
  const { calls, hooks, log } = collect();
  const leaf = command({
    use: 'leaf',
    preRun: log('leaf.preRun'),
    run: log('leaf.run'),
    postRun: log('leaf.postRun'),
  });
  const branch = command({ use: 'branch', ...hooks('branch'), commands: [leaf] });
  await run(command({ use: 'root', ...hooks('root'), commands: [branch] }), 'branch', 'leaf');
  expect(calls).toEqual([
    'branch.persistentPreRun',
    'leaf.preRun',
    'leaf.run',
    'leaf.postRun',
    'branch.persistentPostRun',
  ]);
});

test('a failing hook ends the run', async () => {
  const { calls, hooks } = collect();
  const root = command({
    use: 'root',
    ...hooks('root'),
    preRun() {
      throw new Error('not today');
    },
  });
  expect(await run(root)).toMatchObject({ code: 1, err: 'Error: not today\n' });
  expect(calls).toEqual(['root.persistentPreRun']);
});

const fruit = () => {
  const seen: unknown[] = [];
  const eat = command({
    use: 'eat FRUIT',
    aliases: ['consume'],
    suggestFor: ['swallow'],
    short: 'Eat one',
    example: '  fruit eat apple',
    args: exactArgs(1),
    flags: {
      peel: bool({ usage: 'peel it before' }),
      withWhat: stringSlice({ shorthand: 'w', usage: 'what goes with it' }),
    },
    complete: oneOf(['apple', 'apricot', 'banana']),
    run: ({ args, flags, changed }) => void seen.push([args, flags.peel, flags.withWhat, changed('peel')]),
  });
  const root = command({
    use: 'fruit',
    persistentFlags: { basket: string({ shorthand: 'b', default: 'mine', usage: 'whose' }) },
    commands: [
      lazy({
        name: 'eat',
        aliases: ['consume'],
        suggestFor: ['swallow'],
        short: 'Eat one',
        load: async () => eat,
      }),
      command({ use: 'grow', short: 'Grow one', args: noArgs, run: () => undefined }),
    ],
    run: () => undefined,
  });
  return { root, seen };
};

test('a lazily loaded command gets its typed options', async () => {
  const { root, seen } = fruit();
  await run(root, '--basket', 'eat', 'consume', 'apple', '--peel', '-wcream,sugar');
  expect(seen).toEqual([[['apple'], true, ['cream', 'sugar'], true]]);
});

test('an unknown command is refused, with what may have been meant', async () => {
  const { root } = fruit();
  expect((await run(root, 'gorw')).err).toBe(
    'Error: unknown command "gorw" for "fruit"\n\nDid you mean this?\n\tgrow\n\n',
  );
  expect((await run(root, 'swallow')).err).toContain('Did you mean this?\n\teat\n');
  expect((await run(root, 'xylophone')).err).toBe('Error: unknown command "xylophone" for "fruit"\n');
});

test('arguments are checked with the texts of cobra', async () => {
  const { root } = fruit();
  expect((await run(root, 'eat')).err).toBe('Error: accepts 1 arg(s), received 0\n');
  expect((await run(root, 'grow', 'x')).err).toBe('Error: unknown command "x" for "fruit grow"\n');
});

test('required options and groups of options are checked before the run', async () => {
  const root = command({
    use: 'root',
    flags: {
      name: string({ usage: 'n', required: true }),
      user: string({ usage: 'u' }),
      password: string({ usage: 'p' }),
      token: string({ usage: 't' }),
    },
    flagGroups: { requiredTogether: [['user', 'password']], mutuallyExclusive: [['user', 'token']] },
    run: () => undefined,
  });
  expect((await run(root)).err).toBe('Error: required flag(s) "name" not set\n');
  expect((await run(root, '--name=x', '--user=y')).err).toBe(
    'Error: if any flags in the group [user password] are set they must all be set; missing [password]\n',
  );
  expect((await run(root, '--name=x', '--user=y', '--password=z', '--token=t')).err).toBe(
    'Error: if any flags in the group [user token] are set none of the others can be; [token user] were all set\n',
  );
});

test('help comes in cobra’s look by default', async () => {
  const { root } = fruit();
  const { out } = await run(root, 'eat', '--help');
  expect(out).toBe(`Eat one

Usage:
  fruit eat FRUIT [flags]

Aliases:
  eat, consume

Examples:
  fruit eat apple

Flags:
  -h, --help                help for eat
      --peel                peel it before
  -w, --with-what strings   what goes with it

Global Flags:
  -b, --basket string   whose (default "mine")
`);
});

test('help in kubectl’s look shows groups and defaults', async () => {
  const { root } = fruit();
  const grouped = {
    ...root,
    style: groupedStyle,
    groups: ['Daily:'],
    commands: root.commands?.map((entry) => ({ ...entry, group: 'Daily:' })),
  };
  expect((await run(grouped as typeof root, '--help')).out).toContain(
    'Daily:\n  eat           Eat one\n  grow          Grow one\n',
  );
  expect((await run(grouped as typeof root, 'help', 'eat')).out).toContain(
    '    -w, --with-what=[]:\n\twhat goes with it\n',
  );
  expect((await run(grouped as typeof root, 'eat', '--wrong')).err).toBe(
    "Error: unknown flag: --wrong\nSee 'fruit eat --help' for usage.\n",
  );
});

test('help of a server shows its options in sections, wrapped', async () => {
  const server = command({
    use: 'server',
    long: 'It serves.',
    style: sectionedStyle,
    flags: {
      ...section('storage', {
        dataDir: string({
          usage: 'Where data is kept, which is a directory that only this server may use',
          default: '/var/lib',
        }),
      }),
      ...section('Logging', { v: string({ usage: 'how much' }) }),
    },
    run: () => undefined,
  });
  const io = recordedIo(60);
  await execute(server, ['--help'], io, undefined);
  expect(io.text.out).toBe(`It serves.

Usage:
  server [flags]

Storage flags:

      --data-dir string   Where data is kept, which is
                          a directory that only this
                          server may use (default
                          "/var/lib")

Logging flags:

      --v string   how much

Global flags:

  -h, --help   help for server
`);
});

test('completion proposes commands, options, their values and arguments', async () => {
  const { root } = fruit();
  const ask = async (...words: string[]) => (await run(root, '__complete', ...words)).out;
  expect(await ask('')).toBe('eat\tEat one\ngrow\tGrow one\n:4\n');
  expect(await ask('eat', 'ap')).toBe('apple\napricot\n:4\n');
  expect(await ask('eat', '--p')).toBe('--peel\tpeel it before\n:4\n');
  expect(await ask('eat', '--wi')).toContain('--with-what\twhat goes with it\n');
  expect((await run(root, '__completeNoDesc', 'g')).out).toBe('grow\n:4\n');
});

test('commands share the context that the program hands over', async () => {
  const greet = commandFor<{ name: string }>()({
    use: 'greet',
    run: ({ context, io }) => void io.out.write(`hello ${context.name}`),
  });
  const io = recordedIo();
  await execute(greet, [], io, { name: 'Ada' });
  expect(io.text.out).toBe('hello Ada');
});

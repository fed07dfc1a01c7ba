import { command, noArgs, runProgram } from '@coxswain/cobra';
import { expect, test } from 'vitest';
import { reportedVersion, versionRequest, versionText } from './version-flag.ts';

async function run(...args: string[]) {
  const said = { out: '', err: '' };
  const io = {
    out: { write: (text: string) => (said.out += text) },
    err: { write: (text: string) => (said.err += text) },
    env: {},
  };
  const root = command({
    use: 'program',
    short: 'A program',
    args: noArgs,
    flags: { version: versionRequest({ usage: 'Print the version and leave.' }) },
    run: ({ flags }) =>
      void io.out.write(versionText(flags.version) ?? `it runs as ${reportedVersion(flags.version)}\n`),
  });
  const exit = await runProgram(root, args, io as never, undefined);
  return { ...said, exit };
}

test.each([
  [['--version'], 'Kubernetes v1.36.3\n'],
  [['--version=true'], 'Kubernetes v1.36.3\n'],
  [['--version=false'], 'it runs as v1.36.3\n'],
  [['--version=v1.36.3'], 'it runs as v1.36.3\n'],
  [['--version=v1.36.3-vendor.1+build.2'], 'it runs as v1.36.3-vendor.1+build.2\n'],
  [[], 'it runs as v1.36.3\n'],
])('%s', async (args, out) => {
  expect(await run(...args)).toEqual({ out, err: '', exit: 0 });
});

test('raw is all that is known', async () => {
  expect((await run('--version=raw')).out).toMatch(
    /^version\.Info\{Major:"1", Minor:"36", EmulationMajor:"", .*GitVersion:"v1\.36\.3", .*Platform:"[^"]+"\}\n$/,
  );
});

test.each([
  [
    '--version=x',
    'invalid argument "x" for "--version" flag: strconv.ParseBool: parsing "x": invalid syntax',
  ],
  ['--version=vendor', 'could not parse "vendor" as version'],
  ['--version=v1.36', 'illegal version string "v1.36"'],
  ['--version=v1.36.3_x', 'could not parse pre-release/metadata (_x) in version "v1.36.3_x"'],
  ['--version=v1.2.3', 'version "v1.2.3" must match major/minor/patch of default version "v1.36.3"'],
])('%s is refused', async (arg, message) => {
  const { err, exit } = await run(arg);
  expect(err).toContain(message);
  expect(exit).toBe(1);
});

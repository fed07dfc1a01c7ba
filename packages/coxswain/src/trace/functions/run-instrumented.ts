/**
 * `coxswain trace --functions`: runs the same command again in a process whose modules are instrumented as they load.
 * This process has already loaded some unmodified.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { int, string } from '@coxswain/cobra';
import { CommandFailure } from '../../program/command-failure.ts';
import { ownCommand } from '../../program/own-command.ts';
import type { ProgramIo } from '../../program/program-io.ts';
import { isSingleExecutable } from '../../program/single-executable.ts';
import { unknownName } from '../../program/unknown-name.ts';
import { packageNames } from '../embedded-sources.ts';
import {
  depthDefault,
  functionsVariable,
  instrumentedModules,
  type FunctionOptions,
} from './function-options.ts';

const allPackages = 'all';
const recorderPackage = 'trace';

export const functionFlags = {
  functions: string({
    bareValue: allPackages,
    usage:
      'Also record the call of every function, with arguments and results in short; with =PACKAGES only of these packages, such as =apiserver,storage. For new clusters.',
  }),
  depth: int({
    default: depthDefault,
    usage: 'With --functions: the maximum depth of recorded calls within a step.',
  }),
};

/**
 * Whether the command was run in another process.
 * @throws CommandFailure with the exit status of that process
 */
export async function ranInstrumented(
  io: ProgramIo,
  flags: { readonly functions: string; readonly depth: number },
): Promise<boolean> {
  if (flags.functions === '' || instrumentedModules() !== undefined) return false;
  const status = await run(io, optionsOf(flags));
  if (status !== 0) throw new CommandFailure('', status);
  return true;
}

function optionsOf(flags: { readonly functions: string; readonly depth: number }): FunctionOptions {
  if (flags.depth < 1) throw new Error(`--depth must be 1 or more, not ${flags.depth}`);
  const packages =
    flags.functions === allPackages ? [] : flags.functions.split(',').map((name) => name.trim());
  const known = packageNames().filter((name) => name !== recorderPackage);
  const odd = packages.find((name) => !known.includes(name));
  if (odd === recorderPackage)
    throw new Error('--functions: calls of the package "trace" are not recorded: it is the recorder');
  if (odd !== undefined)
    throw new Error(
      `--functions: ${unknownName('package', odd, known)}; the packages are ${known.join(', ')}`,
    );
  return { packages, depth: flags.depth };
}

async function run(io: ProgramIo, options: FunctionOptions): Promise<number> {
  if (isSingleExecutable())
    throw new Error(
      '--functions instruments modules, which the executable does not have; use the npm package',
    );
  if (!('registerHooks' in module))
    throw new Error(`--functions needs Node 22.15 or newer; this is ${process.versions.node}`);
  const [program, ...args] = ownCommand();
  const script = args.pop()!;
  const child = spawn(program, [...args, '--import', registration(), script, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...io.env, [functionsVariable]: JSON.stringify(options), NODE_NO_WARNINGS: '1' },
  });
  // The terminal interrupts both processes; other signals are passed on.
  const pass = (): void => void child.kill('SIGTERM');
  io.signal.addEventListener('abort', pass, { once: true });
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return code ?? 1;
  } finally {
    io.signal.removeEventListener('abort', pass);
  }
}

/** The module lies next to the bundle, or next to this source. */
function registration(): string {
  const bundled = path.join(import.meta.dirname, 'functions.mjs');
  const file = existsSync(bundled) ? bundled : path.join(import.meta.dirname, 'register.ts');
  return pathToFileURL(file).href;
}

/**
 * The `kube-apiserver` program: its flags, and what is asked of them alone. The server is loaded when it is to serve:
 * envtest asks for help before every start.
 */
import {
  command,
  flagName,
  ineffective,
  listedFlags,
  listedNames,
  optionsOnly,
  runProgram,
  sectionedStyle,
  type Command,
  type CommandIo,
  type FlagTable,
} from '@coxswain/cobra';
import { effectiveFlags, type ApiServerFlags } from './flags/effective-flags.ts';
import type { IsGiven } from './flags/authentication-settings.ts';
import { harmlessFlags } from './flags/harmless-flags.ts';
import { onlyValues, unsupportedFlags } from './flags/unsupported-flags.ts';
import { versionText } from '@coxswain/component-base/version-flag.ts';

export interface KubeApiServerIo extends CommandIo {
  /** Aborts when the program is to stop. */
  readonly signal: AbortSignal;
}

const allFlags = {
  ...listedFlags(harmlessFlags, ineffective),
  ...listedFlags(unsupportedFlags, 'Not supported by this server.'),
  ...effectiveFlags,
};

/** Runs until `io.signal` aborts. Resolves with the exit status. */
export const runKubeApiServer = (args: readonly string[], io: KubeApiServerIo): Promise<number> =>
  runProgram(
    program((flags, isGiven) => serve(flags, isGiven, args, io)),
    args,
    io,
    undefined,
  );

type Run = (flags: ApiServerFlags, isGiven: IsGiven) => Promise<void> | void;

/** The command line without the program behind it: its flags go to `run`. */
export const program = (run: Run): Command =>
  command({
    use: 'kube-apiserver',
    short: 'Serve the Kubernetes API',
    long: 'The Kubernetes API server serves the objects of a cluster and keeps them in its store.',
    args: optionsOnly,
    flags: allFlags,
    style: sectionedStyle,
    run: (invocation) => {
      refuseUnsupported((key) => invocation.changed(key));
      refuseOtherValues(invocation.flags);
      const isGiven: IsGiven = (flag) => invocation.changed(flag as never);
      return run(invocation.flags as unknown as ApiServerFlags, isGiven);
    },
  });

function refuseUnsupported(isSet: (key: never) => boolean): void {
  const given = listedNames(unsupportedFlags).find((name) => isSet(name as never));
  if (given !== undefined) throw new Error(`--${given} is not supported by this server`);
}

function refuseOtherValues(flags: Readonly<Record<string, unknown>>): void {
  for (const [name, only] of Object.entries(onlyValues)) {
    const value = String(flags[name]);
    if (value !== only)
      throw new Error(`--${name}=${value} is not supported by this server, only ${only} is`);
  }
}

async function serve(
  flags: ApiServerFlags,
  isGiven: IsGiven,
  args: readonly string[],
  io: KubeApiServerIo,
): Promise<void> {
  const version = versionText(flags.version);
  if (version !== undefined) return void io.out.write(version);
  const { serveUntilAborted } = await import('./serve-until-aborted.ts');
  await serveUntilAborted({ flags, texts: flagTexts(flags), isGiven, args }, io);
}

/** Every option that there is, with its value; those without an effect as well. */
function flagTexts(flags: ApiServerFlags): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(allFlags as FlagTable).map(([key, flag]) => [
      flagName(key, flag),
      flag.kind.show((flags as Readonly<Record<string, unknown>>)[key]),
    ]),
  );
}

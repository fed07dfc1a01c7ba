/** The command line of the `kube-apiserver` program, without the program itself. */
import {
  command,
  flagName,
  ineffective,
  listedFlags,
  listedNames,
  optionsOnly,
  sectionedStyle,
  type Command,
  type FlagTable,
} from '@coxswain/cobra';
import { effectiveFlags, type ApiServerFlags } from './effective-flags.ts';
import type { IsGiven } from './authentication-settings.ts';
import { harmlessFlags } from './harmless-flags.ts';
import { onlyValues, unsupportedFlags } from './unsupported-flags.ts';

const allFlags = {
  ...listedFlags(harmlessFlags, ineffective),
  ...listedFlags(unsupportedFlags, 'Not supported by this server.'),
  ...effectiveFlags,
};

type Run = (flags: ApiServerFlags, isGiven: IsGiven) => Promise<void> | void;

/** Passes the flags to `run`. */
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

/** Every flag with its value, including those without effect. */
export function flagTexts(flags: ApiServerFlags): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(allFlags as FlagTable).map(([key, flag]) => [
      flagName(key, flag),
      flag.kind.show((flags as Readonly<Record<string, unknown>>)[key]),
    ]),
  );
}

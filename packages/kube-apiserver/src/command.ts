/**
 * The `kube-apiserver` program: its flags and checks that need nothing else. The server's code is loaded only to serve,
 * since envtest requests the help before every start.
 */
import { runProgram } from '@coxswain/cobra';
import { versionText } from '@coxswain/component-base/version-flag.ts';
import type { IsGiven } from './flags/authentication-settings.ts';
import { flagTexts, program } from './flags/command-line.ts';
import type { ApiServerFlags } from './flags/effective-flags.ts';
import type { KubeApiServerIo } from './io.ts';

/** Runs until `io.signal` aborts. Resolves with the exit status. */
export const runKubeApiServer = (args: readonly string[], io: KubeApiServerIo): Promise<number> =>
  runProgram(
    program((flags, isGiven) => serve(flags, isGiven, args, io)),
    args,
    io,
    undefined,
  );

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

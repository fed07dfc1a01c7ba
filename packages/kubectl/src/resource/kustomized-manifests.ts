/** Reads `-k DIR` for other commands: the built resources, sorted by kind. */
import { runStep } from '@coxswain/apimachinery';
import type { CommandContext } from '../context.ts';
import { buildKustomization } from '@coxswain/kustomize/build.ts';
import { diskFiles } from '@coxswain/kustomize/loading/disk.ts';

export function kustomizedManifests(context: CommandContext, directory: string): string {
  const build = () =>
    buildKustomization(diskFiles(context.io.workingDirectory), directory, {
      reorder: 'legacy',
      warn: (line) => context.printError(`${line}\n`),
      log: (line) => context.log('I', line),
    }).toYaml();
  return runStep(context.io.observer, 'kustomize', build, { directory }, buildKustomization);
}
